import type { UserCtx } from '../../../context.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { revokeOtherSessions } from '../sessions/sessions.db.ts'
import { deletePendingSignIns, deleteRecoveryCodes, setTotpSecret } from './second-factor.db.ts'

/**
 * Sets the second factor of the actor, who has just proved its first code; the caller's transaction must have
 * locked the account. Deletes the recovery codes of an earlier factor and ends all other sessions and pending
 * sign-ins, because they began without this factor.
 */
export async function enableSecondFactor(
  tx: UserCtx,
  { secret, step }: { secret: string; step: number },
): Promise<void> {
  const { id, sessionId } = tx.actor
  await setTotpSecret(tx.db, id, tx.services.encryption.encrypt(secret), step, tx.now)
  await deleteRecoveryCodes(tx.db, id)
  await deletePendingSignIns(tx.db, id)
  await revokeOtherSessions(tx.db, id, sessionId, tx.now)
  await recordAudit(tx, { action: 'second-factor.enable', subject: { type: 'user', id } })
  await publish(tx.db, { kind: 'account', id })
}
