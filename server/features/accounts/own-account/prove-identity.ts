import { inTransaction, type UserCtx } from '../../../context.ts'
import { invalid, invalidState } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  getOwnUser,
  lockIfUnchanged,
  reauthenticate,
  reauthenticateByCode,
  reauthenticateByPassword,
} from '../credentials/reauthenticate.ts'
import { usePasskey } from '../passkeys/ceremony.ts'
import { sessionBinding } from '../passkeys/challenge.ts'
import { setProvedAt } from '../sessions/sessions.db.ts'

/**
 * Proves that the signed-in user is the owner of the account, with a passkey, or with the password and, if there is a
 * second factor, a code; the proof counts for five minutes and only in this session. Throws BAD_USER_INPUT for a wrong password, code or passkey,
 * which is counted and recorded, and CONFLICT for an account without a password.
 */
export async function proveIdentity(
  ctx: UserCtx,
  input: { password: string; code: string | null; passkey: unknown },
): Promise<void> {
  const user =
    input.passkey == null ? await proveByPassword(ctx, input) : await proveByPasskey(ctx, input.passkey)
  await inTransaction(ctx, async (tx) => {
    await lockIfUnchanged(tx, user)
    await setProvedAt(tx.db, tx.actor.sessionId, tx.now)
    await recordAudit(tx, { action: 'account.proof', subject: { type: 'user', id: user.id } })
  })
}

async function proveByPassword(ctx: UserCtx, input: { password: string; code: string | null }) {
  if ((await getOwnUser(ctx)).password_hash === null)
    throw invalidState(
      'the account has no password',
      'Contul nu are parolă. Este nevoie de o nouă autentificare.',
    )
  const user = await reauthenticateByPassword(ctx, input.password)
  if (user.totp_secret || user.has_passkey) {
    if (!input.code) throw invalid([{ field: 'code', message: 'Scrie codul.' }])
    await reauthenticateByCode(ctx, user, input.code)
  }
  return user
}

async function proveByPasskey(ctx: UserCtx, passkey: unknown) {
  const user = await getOwnUser(ctx)
  await reauthenticate(ctx, user, 'code', 'passkey', PASSKEY_REJECTED_MESSAGE, async () => {
    const use = { purpose: 'proof', binding: sessionBinding(ctx.actor.sessionId) } as const
    return (await usePasskey(ctx, use, passkey))?.user_id === user.id
  })
  return user
}

const PASSKEY_REJECTED_MESSAGE = 'Cheia de acces nu a fost acceptată.'
