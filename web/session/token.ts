import { lastReadAt, serverNow } from './server-clock.ts'
import {
  forgetSession,
  getGeneration,
  getSession,
  loadSession,
  loseSession,
  renewWithSession,
} from './session.ts'
import { fetchToken, type TokenRecord } from './session-calls.ts'
import { readClaims } from './token-claims.ts'
import { readTokenCookie, writeTokenCookie } from './token-cookie.ts'

/** Seconds before its end at which a token is fetched anew: time for a request to arrive with it. */
const RENEWAL_MARGIN_SECONDS = 60

/** What was fetched, and in which era of the session. */
let cachedToken: { record: TokenRecord; era: number } | null = null
let renewal: { answer: Promise<string | null>; era: number } | null = null

renewWithSession(async () => cachedToken && getIdToken())

/**
 * A token that is still good [4.2], fetched anew near its end; null where nobody is signed in. Rejects where the server
 * does not say: a token that has ended signs out only once there is no new one.
 */
export async function getIdToken(): Promise<string | null> {
  const { user } = getSession().status === 'loading' ? await loadSession() : getSession()
  if (!user) return null
  const era = getGeneration()
  const found = readCachedToken(RENEWAL_MARGIN_SECONDS) ?? adoptToken(user.id, era)
  if (found) return found
  if (renewal?.era !== era) renewal = { answer: renewToken(user.id, era), era }
  return renewal.answer
}

/** The token of this era that is good for so many seconds more. */
const readCachedToken = (margin: number): string | null =>
  cachedToken?.era === getGeneration() && isGood(cachedToken.record, margin)
    ? cachedToken.record.id_token
    : null

const isGood = ({ expires_at, id_token }: TokenRecord, margin: number): boolean =>
  id_token !== null && (expires_at ?? 0) > serverNow() + margin

/** What an earlier page, or another tab, has fetched; not what is left of somebody else. */
function adoptToken(userId: string, era: number): string | null {
  const record = readTokenCookie()
  if (!record || !isGood(record, RENEWAL_MARGIN_SECONDS) || readClaims(record.id_token).sub !== userId)
    return null
  cachedToken = { record, era }
  return record.id_token
}

async function renewToken(userId: string, era: number): Promise<string | null> {
  try {
    let record = await fetchToken()
    // Good when it was sent: the computer has slept before it was read.
    if (!isGood(record, 0) && (record.expires_at ?? 0) > lastReadAt()) record = await fetchToken()
    if (era !== getGeneration()) return await getIdToken()
    if (record.id_token === null) {
      void loseSession()
      return null
    }
    if (readClaims(record.id_token).sub !== userId) {
      await loadSession()
      throw new Error('token: another person has signed in')
    }
    if (!isGood(record, 0)) {
      forgetSession()
      return null
    }
    cachedToken = { record, era }
    writeTokenCookie(record)
    return record.id_token
  } catch (fault) {
    // The server is away, and what is left of the last one may do.
    const left = readCachedToken(0)
    if (left) return left
    throw fault
  } finally {
    if (renewal?.era === era) renewal = null
  }
}
