import type { Role } from '../../../shared/access/roles.ts'
import type { SignInProvider } from '../../../shared/site/sign-in-providers.ts'
import type { UserActor } from '../../context.ts'

/** Administrators invite, change, suspend and list accounts, and end other users' sessions. */
export const canManageAccounts = (actor: UserActor): boolean => actor.role === 'admin'

/**
 * With an OpenID provider only administrators sign in by password: an account that has left the provider
 * loses access here too, and an outage of the provider does not lock administrators out (decision 26).
 */
export const canUsePassword = (role: Role, loginProvider: SignInProvider): boolean =>
  role === 'admin' || loginProvider === 'local'

/** Features are granted to staff one by one; the other roles have fixed features. */
export const takesFeatures = (role: Role): boolean => role === 'staff'

/**
 * An account of the role `institution` belongs to at least one institution; all other roles belong to none.
 */
export const belongsToInstitutions = (role: Role): boolean => role === 'institution'
