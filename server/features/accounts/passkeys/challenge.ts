import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import type { DB } from '../../../platform/database/types.generated.ts'
import { consumeChallenge, insertChallenge } from './passkeys.db.ts'

/** What a challenge is for, and the session, pending sign-in or browser that alone may use it. */
export type ChallengeUse = { purpose: DB['passkey_challenge']['purpose']; binding: string }

export const sessionBinding = (sessionId: string): string => `session:${sessionId}`
export const pendingBinding = (pendingId: string): string => `pending:${pendingId}`
/** `cookie`: the CSRF cookie, which identifies the browser of a user who is not signed in. */
export const browserBinding = (cookie: string): string => `browser:${cookie}`

/** Creates a challenge, which is valid once and for five minutes. */
export async function createChallenge({ db, now }: Ctx, { purpose, binding }: ChallengeUse) {
  const challenge = randomBytes(32)
  await insertChallenge(db, {
    challenge,
    purpose,
    bound_to: hashToken(binding),
    expires_at: new Date(now.getTime() + LIMITS.passkeyChallengeSeconds * 1000),
  })
  return Uint8Array.from(challenge)
}

/** Consumes a challenge (base64url); returns whether it was valid for this use. */
export const useChallenge = ({ db, now }: Ctx, challenge: string, { purpose, binding }: ChallengeUse) =>
  consumeChallenge(db, {
    challenge: Buffer.from(challenge, 'base64url'),
    purpose,
    boundTo: hashToken(binding),
    now,
  })
