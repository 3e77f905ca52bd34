import type { UserActor } from '../../context.ts'

/** Administrators read every entry of the audit log; other staff read their own. */
export const canReadWholeAuditLog = (actor: UserActor): boolean => actor.role === 'admin'

/** Administrators request a verification of the audit log's hash chain. */
export const canVerifyAuditLog = (actor: UserActor): boolean => actor.role === 'admin'
