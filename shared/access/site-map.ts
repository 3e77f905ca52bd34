/**
 * The addresses of the screens, as the router writes them: `$name` is one part of the path. A test compares
 * the two.
 */
export const SCREENS = [
  '/',
  '/signout',
  '/cont/$token',
  '/s',
  '/s/$token',
  '/dashboard',
  '/uploads',
  '/uploads/$uploadId',
  '/patients',
  '/patients/$patientId',
  '/institutions',
  '/institutions/$institutionId',
  '/bulk',
  '/incidents/$incidentId',
  '/logs',
  '/admin',
  '/institution',
] as const

export type Screen = (typeof SCREENS)[number]

const patterns = SCREENS.map((path) => [path, new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`)] as const)

/** Returns the screen of a path; undefined if there is none, for which the server responds 404 [2.15]. */
export const findScreen = (pathname: string): Screen | undefined =>
  patterns.find(([, pattern]) => pattern.test(pathname))?.[0]
