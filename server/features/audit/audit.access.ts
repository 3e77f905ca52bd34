import { isStaff } from '../../actor.access.ts'
import type { UserActor } from '../../context.ts'

/** Administrators read every entry of the audit log; other staff read their own. */
export const canReadWholeAuditLog = (actor: UserActor): boolean => actor.role === 'admin'

/** Staff read how often something was done; the counts name nobody. */
export const canCountActions = (actor: UserActor): boolean => isStaff(actor)

/** Administrators request a verification of the audit log's hash chain. */
export const canVerifyAuditLog = (actor: UserActor): boolean => actor.role === 'admin'
