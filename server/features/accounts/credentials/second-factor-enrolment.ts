import { z } from 'zod'
import type { UserCtx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import type { LockedUser } from '../accounts.db.ts'

/** Milliseconds to install an application and read a code from it. */
const ENROLMENT_TTL_MS = 15 * 60 * 1000

const content = z.object({
  kind: z.literal('second-factor'),
  userId: z.string(),
  sessionId: z.string(),
  account: z.string(),
  secret: z.string(),
  expiresAt: z.number(),
})

type Account = Pick<LockedUser, 'version' | 'password_hash' | 'totp_secret'>

/** What a change of the password or of the second factor changes. */
const stateOf = ({ version, password_hash, totp_secret }: Account): string =>
  hashToken(JSON.stringify([version, password_hash, totp_secret?.toString('hex')])).toString('base64url')

/**
 * A begun second factor in a text that only this server reads: good in the session that has begun it, for the account as
 * it is now. Setting the factor changes the account, so a ticket is good once.
 */
export const encryptEnrolment = (
  { services, actor, now }: UserCtx,
  account: Account,
  secret: string,
): string =>
  services.encryption
    .encrypt(
      JSON.stringify({
        kind: 'second-factor',
        userId: actor.id,
        sessionId: actor.sessionId,
        account: stateOf(account),
        secret,
        expiresAt: now.getTime() + ENROLMENT_TTL_MS,
      } satisfies z.infer<typeof content>),
    )
    .toString('base64url')

/** The secret in the ticket; null where it is none, another person's or session's, too old, or the account has changed. */
export function decryptEnrolment(
  { services, actor, now }: UserCtx,
  account: Account,
  ticket: string,
): string | null {
  let opened: unknown
  try {
    opened = JSON.parse(services.encryption.decrypt(Buffer.from(ticket, 'base64url')))
  } catch {
    return null
  }
  const enrolment = content.safeParse(opened).data
  const isValid =
    enrolment?.userId === actor.id &&
    enrolment.sessionId === actor.sessionId &&
    enrolment.account === stateOf(account) &&
    enrolment.expiresAt > now.getTime()
  return isValid ? enrolment.secret : null
}
