import { lastReadAt, serverNow } from '../server-clock.ts'
import {
  forgetSession,
  getGeneration,
  getSession,
  loadSession,
  loseSession,
  renewWithSession,
} from '../session.ts'
import { fetchToken, type TokenRecord } from '../session-calls.ts'
import { readClaims } from './token-claims.ts'
import { readTokenCookie, writeTokenCookie } from './token-cookie.ts'

/** A token is renewed this long before its expiry, so that requests arrive with a valid token. */
const RENEWAL_MARGIN_SECONDS = 60

/** The token fetched last, and the generation of the session at that time. */
let cachedToken: { record: TokenRecord; generation: number } | null = null
let renewal: { token: Promise<string | null>; generation: number } | null = null

renewWithSession(async () => cachedToken && getIdToken())

/**
 * Returns a valid token [4.2], renewed near its expiry; null if signed out. Rejects if the server does not
 * say: an expired token leads to a sign-out only when the server gives no new token.
 */
export async function getIdToken(): Promise<string | null> {
  const { user } = getSession().status === 'loading' ? await loadSession() : getSession()
  if (!user) return null
  const generation = getGeneration()
  const found = readCachedToken(RENEWAL_MARGIN_SECONDS) ?? readSharedToken(user.id, generation)
  if (found) return found
  if (renewal?.generation !== generation) renewal = { token: renewToken(user.id, generation), generation }
  return renewal.token
}

/** Returns the token of this generation if it is valid for at least `margin` more seconds; otherwise null. */
const readCachedToken = (margin: number): string | null =>
  cachedToken?.generation === getGeneration() && isValid(cachedToken.record, margin)
    ? cachedToken.record.id_token
    : null

const isValid = ({ expires_at, id_token }: TokenRecord, margin: number): boolean =>
  id_token !== null && (expires_at ?? 0) > serverNow() + margin

/** Uses the token that an earlier page or another tab has fetched; null if it belongs to another user. */
function readSharedToken(userId: string, generation: number): string | null {
  const record = readTokenCookie()
  if (!record || !isValid(record, RENEWAL_MARGIN_SECONDS) || readClaims(record.id_token).sub !== userId)
    return null
  cachedToken = { record, generation }
  return record.id_token
}

async function renewToken(userId: string, generation: number): Promise<string | null> {
  // The page asked for a token of the first session.
  if (generation > 0) globalThis.earlyResponses?.clear()
  try {
    let record = await fetchToken()
    // Valid when it was sent, but the computer slept before it was read.
    if (!isValid(record, 0) && (record.expires_at ?? 0) > lastReadAt()) record = await fetchToken()
    if (generation !== getGeneration()) return await getIdToken()
    if (record.id_token === null) {
      void loseSession()
      return null
    }
    if (readClaims(record.id_token).sub !== userId) {
      await loadSession()
      throw new Error('token: another user has signed in')
    }
    if (!isValid(record, 0)) {
      forgetSession()
      return null
    }
    cachedToken = { record, generation }
    writeTokenCookie(record)
    return record.id_token
  } catch (error) {
    // The server cannot be reached: the current token is used until it expires.
    const current = readCachedToken(0)
    if (current) return current
    throw error
  } finally {
    if (renewal?.generation === generation) renewal = null
  }
}
