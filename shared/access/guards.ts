import type { Feature } from './features.ts'
import type { Role } from './roles.ts'

/** What a screen requires of its user [2.19]. */
export type Guard = 'public' | 'unauthenticated-only' | 'signed-in' | 'admin' | 'institution' | 'review'

export type Visitor = { role: Role; features: ReadonlySet<Feature> }

const INSTITUTION_HOME = '/institution'
export const SIGN_IN_PATH = '/'
/** Where the sign-in page sends a user who is already signed in [2.1]. */
export const SIGNED_IN_TARGET = '/uploads'

/**
 * Returns where a visitor who opens `path` is redirected to; null if the visitor may open it. `visitor` null
 * means not signed in: the result 'sign-in' then starts the sign-in flow [2.20]. `target` is where an
 * unauthenticated-only route sends signed-in users [2.19].
 */
export function redirectFor(
  guard: Guard,
  path: string,
  visitor: Visitor | null,
  target = SIGN_IN_PATH,
): string | 'sign-in' | null {
  if (visitor === null) return guard === 'public' || guard === 'unauthenticated-only' ? null : 'sign-in'
  // An institution's user has one home, for every path [6.2].
  if (visitor.role === 'institution') return path === INSTITUTION_HOME ? null : INSTITUTION_HOME
  if (guard === 'unauthenticated-only') return target
  if (guard === 'institution') return target
  if (guard === 'review' && !visitor.features.has('admin::review-files')) return '/patients' // [6.3]
  return null
}
