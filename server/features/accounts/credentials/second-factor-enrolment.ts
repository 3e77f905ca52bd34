import { z } from 'zod'
import type { UserCtx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import type { LockedUser } from '../accounts.db.ts'

/** Time to install an authenticator application and read a code from it. */
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

/** Returns a digest that changes with the password, the second factor or any other change of the account. */
const stateOf = ({ version, password_hash, totp_secret }: Account): string =>
  hashToken(JSON.stringify([version, password_hash, totp_secret?.toString('hex')])).toString('base64url')

/**
 * Returns an encrypted enrolment token that contains the new secret. It is valid in the actor's session while
 * the account is unchanged; because setting the factor changes the account, a token works once.
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

/**
 * Returns the secret in an enrolment token; null if the token is malformed, expired, or of another user or
 * session, or if the account has changed.
 */
export function decryptEnrolment(
  { services, actor, now }: UserCtx,
  account: Account,
  enrolmentToken: string,
): string | null {
  let decrypted: unknown
  try {
    decrypted = JSON.parse(services.encryption.decrypt(Buffer.from(enrolmentToken, 'base64url')))
  } catch {
    return null
  }
  const enrolment = content.safeParse(decrypted).data
  const isValid =
    enrolment?.userId === actor.id &&
    enrolment.sessionId === actor.sessionId &&
    enrolment.account === stateOf(account) &&
    enrolment.expiresAt > now.getTime()
  return isValid ? enrolment.secret : null
}
