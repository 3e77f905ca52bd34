import type { UserCtx } from '../../context.ts'
import { conflict, invalid } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type LockedUser, lockUser, selectUser } from './accounts.db.ts'
import { limitTries } from './limit-tries.ts'
import { verifyPassword } from './password.ts'
import { takeCode } from './take-code.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

/**
 * Before something grave a signed-in person writes their password again: whoever has only found the screen open does not
 * know it. Answers the account as it was when the password was right. Guessing is slowed down as at the sign-in, and a
 * wrong one is in the journal. `field`: what the input is called where the refusal names it. What is
 * then changed takes `lockProved` first.
 */
export async function provePassword(ctx: UserCtx, password: string, field = 'password'): Promise<LockedUser> {
  const user = await getOwnUser(ctx)
  const guessed = { kind: 'current-password' as const, userId: user.id }
  const tried = await limitTries(ctx, { guessed, network: null }, async () =>
    (await verifyPassword(password, user.password_hash, user.id)) ? user : null,
  )
  if (tried.proved) return tried.proved
  await refuse(ctx, user, tried.blocked)
  throw invalid([{ field, message: `Parola nu este corectă.${PAUSE}` }])
}

/** The same with a code of the second factor that the account has. The code is used up. */
export async function proveCode(ctx: UserCtx, user: LockedUser, code: string): Promise<void> {
  const { totp_secret } = user
  const guessed = { kind: 'code' as const, userId: user.id }
  const tried = await limitTries(ctx, { guessed, network: null }, async (allowed) =>
    allowed && totp_secret && (await takeCode(ctx, { id: user.id, totp_secret }, code)) ? user : null,
  )
  if (tried.proved) return
  await refuse(ctx, user, tried.blocked)
  throw invalid([{ field: 'code', message: `Codul nu este corect sau a fost deja folosit.${PAUSE}` }])
}

const PAUSE = ' După mai multe greșeli la rând, așteaptă puțin înainte să încerci din nou.'

async function refuse(ctx: UserCtx, user: LockedUser, blocked: boolean): Promise<void> {
  const subject = { type: 'user', id: user.id }
  await recordAudit(ctx, { action: 'account.proof-failed', subject, outcome: 'failed' })
  if (blocked) await warnOfGuessing(ctx, user)
}

/**
 * Holds the account until the end of the transaction. CONFLICT where its password or second factor has changed since it
 * was proved, or it is suspended: proving takes a while.
 */
export async function lockProved(tx: UserCtx, proved: LockedUser): Promise<void> {
  const user = await lockUser(tx.db, proved.id)
  if (user?.effective_status !== 'active' || user.version !== proved.version) throw conflict('account')
}

/** The account of the person who is signed in. */
export async function getOwnUser({ db, actor }: UserCtx): Promise<LockedUser> {
  const user = await selectUser(db, actor.id)
  if (!user) throw new Error('a session without its account')
  return user
}
