/** The addresses of the screens, as the router writes them: `$name` is one part of the path. The router's own, by test. */
export const SCREENS = [
  '/',
  '/signout',
  '/cont/$token',
  '/dashboard',
  '/uploads',
  '/uploads/$uploadId',
  '/patients',
  '/patients/$patientId',
  '/institutions',
  '/institutions/$institutionId',
  '/bulk',
  '/logs',
  '/admin',
  '/institution',
] as const

const patterns = SCREENS.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`))

/** Whether a path is a screen's: whatever else the server is asked for is a 404 [2.15]. */
export const isScreen = (pathname: string): boolean => patterns.some((pattern) => pattern.test(pathname))
