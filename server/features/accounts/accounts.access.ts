import type { Role } from '../../../shared/access/roles.ts'
import type { UserActor } from '../../context.ts'

/** Administrators invite, change, suspend and list accounts, and end the sessions of others. */
export const canManageAccounts = (actor: UserActor): boolean => actor.role === 'admin'

/**
 * With an OpenID provider only administrators sign in by password: an account that has left the provider is out here
 * too, and a provider that is down locks out no administrator for good (decision 12).
 */
export const canUsePassword = (role: Role, loginProvider: 'local' | 'oidc'): boolean =>
  role === 'admin' || loginProvider === 'local'

/** Features are granted one by one to staff; the other roles have theirs by the role. */
export const takesFeatures = (role: Role): boolean => role === 'staff'

/** An account of the role `institution` belongs to at least one institution, every other to none. */
export const belongsToInstitutions = (role: Role): boolean => role === 'institution'
