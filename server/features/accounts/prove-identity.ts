import type { Selectable } from 'kysely'
import type { AppUser } from '../../../db/types.generated.ts'
import type { UserCtx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { selectUser } from './accounts.db.ts'
import { limitTries } from './limit-tries.ts'
import { verifyPassword } from './password.ts'
import { takeCode } from './take-code.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

type User = Selectable<AppUser>

/**
 * Before something grave a signed-in person writes their password again: whoever has only found the screen open does not
 * know it. Answers the account as it was when the password was right. Guessing is slowed down as at the sign-in, and a
 * wrong one is in the journal. `field`: what the input is called where the refusal names it.
 */
export async function provePassword(ctx: UserCtx, password: string, field = 'password'): Promise<User> {
  const user = await getOwnUser(ctx)
  const guessed = { kind: 'current-password' as const, userId: user.id }
  const tried = await limitTries(ctx, { guessed, network: null }, async () =>
    (await verifyPassword(password, user.password_hash)) ? user : null,
  )
  if (tried.proved) return tried.proved
  await refuse(ctx, user, tried.blocked)
  throw invalid([{ field, message: `Parola nu este corectă.${PAUSE}` }])
}

/** The same with a code of the second factor that the account has. The code is used up. */
export async function proveCode(ctx: UserCtx, user: User, code: string): Promise<void> {
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

async function refuse(ctx: UserCtx, user: User, blocked: boolean): Promise<void> {
  const subject = { type: 'user', id: user.id }
  await recordAudit(ctx, { action: 'account.proof-failed', subject, outcome: 'failed' })
  if (blocked) await warnOfGuessing(ctx, user)
}

/** The account of the person who is signed in. */
export async function getOwnUser({ db, actor }: UserCtx): Promise<User> {
  const user = await selectUser(db, actor.id)
  if (!user) throw new Error('a session without its account')
  return user
}
