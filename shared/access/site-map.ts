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

export type Screen = (typeof SCREENS)[number]

const patterns = SCREENS.map((path) => [path, new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`)] as const)

/** The screen of a path; undefined where no screen is: whatever else the server is asked for is a 404 [2.15]. */
export const findScreen = (pathname: string): Screen | undefined =>
  patterns.find(([, pattern]) => pattern.test(pathname))?.[0]
