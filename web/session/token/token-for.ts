import type { TokenAudience } from '../../../shared/token-audiences.ts'
import { serverNow } from '../server-clock.ts'
import { fetchToken } from '../session-calls.ts'
import { getIdToken } from './token.ts'
import { readClaims } from './token-claims.ts'

/** Tokens are replaced this long before their expiry. */
const MARGIN_SECONDS = 60

const tokens = new Map<TokenAudience, string>()

/**
 * Returns a valid token for another audience than GraphQL; null if signed out. Rejects if the server does not
 * say, or if the browser's session is no longer that of this page.
 */
export async function getTokenFor(audience: Exclude<TokenAudience, 'graphql'>): Promise<string | null> {
  const { sid } = readClaims(await getIdToken())
  if (sid === undefined) return null
  const isUsable = (token: string | null | undefined) => {
    const claims = readClaims(token)
    return claims.sid === sid && Number(claims.exp) > serverNow() + MARGIN_SECONDS
  }
  const found = tokens.get(audience)
  if (found !== undefined && isUsable(found)) return found
  const { id_token } = await fetchToken(audience)
  if (id_token === null) return null
  if (readClaims(id_token).sid !== sid) throw new Error('token: another session has begun')
  tokens.set(audience, id_token)
  return id_token
}
