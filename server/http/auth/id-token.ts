import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../../shared/limits.ts'
import type { TokenAudience } from '../../../shared/token-audiences.ts'
import type { UserActor } from '../../context.ts'

const ISSUER = 'dosar'
/** Seconds by which the clocks of two servers may differ. */
const CLOCK_TOLERANCE_SECONDS = 5

/**
 * Signs the token for one audience: the user (`sub`) and the session (`sid`), but no permissions, which are read
 * from the database at every request. `expiresAt` is in unix seconds.
 */
export async function signIdToken(
  actor: UserActor,
  audience: TokenAudience,
  sessionExpiresAt: Date,
  privateKey: KeyObject,
  now: Date,
): Promise<{ idToken: string; expiresAt: number }> {
  const seconds = Math.floor(now.getTime() / 1000)
  const expiresAt = Math.min(seconds + LIMITS.idTokenSeconds, Math.floor(sessionExpiresAt.getTime() / 1000))
  const idToken = await new SignJWT({ sid: actor.sessionId })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(actor.id)
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setIssuedAt(seconds)
    .setExpirationTime(expiresAt)
    .sign(privateKey)
  return { idToken, expiresAt }
}

type Claims = { userId: string; sessionId: string; expiresAt: Date }

/** Verified tokens by their key, each with its audience; `until` (milliseconds since 1970) is when a token must be verified again. */
const verifiedTokens = new WeakMap<KeyObject, Map<string, { claims: Claims; until: number }>>()
const MAX_CACHED_TOKENS = 1_000
/** How long a verified signature is not checked again. */
const CACHE_TTL_MS = 60_000

/**
 * Verifies a token like `verifyIdToken`, but checks its signature only once a minute, since a page sends the
 * same token for a quarter of an hour. A valid token does not mean a live session: the caller reads the
 * session from the database.
 */
export async function verifyIdTokenCached(
  token: string,
  audience: TokenAudience,
  publicKey: KeyObject,
): Promise<Claims | null> {
  const ofKey = verifiedTokens.get(publicKey) ?? new Map<string, { claims: Claims; until: number }>()
  verifiedTokens.set(publicKey, ofKey)
  const key = `${audience} ${token}`
  const found = ofKey.get(key)
  if (found && Date.now() < found.until) return found.claims
  ofKey.delete(key)
  const claims = await verifyIdToken(token, audience, publicKey)
  if (!claims) return null
  if (ofKey.size >= MAX_CACHED_TOKENS) ofKey.delete(ofKey.keys().next().value!)
  ofKey.set(key, { claims, until: Math.min(claims.expiresAt.getTime(), Date.now() + CACHE_TTL_MS) })
  return claims
}

/** Returns the claims of a token; null when its signature, algorithm, issuer, audience or time is wrong. */
export async function verifyIdToken(
  token: string,
  audience: TokenAudience,
  publicKey: KeyObject,
): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer: ISSUER,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: LIMITS.idTokenSeconds + CLOCK_TOLERANCE_SECONDS,
    })
    if (typeof payload.sid !== 'string' || !payload.sub || !payload.exp) return null
    return { userId: payload.sub, sessionId: payload.sid, expiresAt: new Date(payload.exp * 1000) }
  } catch {
    return null
  }
}

/** Returns the public key as a JSON Web Key Set (RFC 7517), for a GraphQL host that is not this server. */
export async function publicKeySet(publicKey: KeyObject) {
  const jwk = await exportJWK(publicKey)
  return { keys: [{ ...jwk, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(jwk) }] }
}
