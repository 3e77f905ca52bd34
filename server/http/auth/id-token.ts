import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../../shared/limits.ts'
import type { UserActor } from '../../context.ts'

const ISSUER = 'dosar'
const AUDIENCE = 'graphql'
/** Seconds that two servers' clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 5

/**
 * Signs the token for GraphQL: who (`sub`) and in which session (`sid`), nothing of their rights, which are read from the
 * database at every request. `expiresAt` in unix seconds.
 */
export async function signIdToken(
  actor: UserActor,
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
    .setAudience(AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(expiresAt)
    .sign(privateKey)
  return { idToken, expiresAt }
}

type Claims = { userId: string; sessionId: string; expiresAt: Date }

/** Tokens whose signature was found good, and until when nothing else can be wrong with them, by the key they were tried with. */
const verifiedTokens = new WeakMap<KeyObject, Map<string, { claims: Claims; until: number }>>()
const MAX_CACHED_TOKENS = 1_000
/** Milliseconds for which a signature that was found good is not tried again. */
const CACHE_TTL_MS = 60_000

/**
 * As `verifyIdToken`, but the signature of one token is tried once a minute: a page sends the same one for a quarter of an hour.
 * It still says nothing of the session, which is read from the database each time.
 */
export async function verifyIdTokenCached(token: string, publicKey: KeyObject): Promise<Claims | null> {
  const ofKey = verifiedTokens.get(publicKey) ?? new Map<string, { claims: Claims; until: number }>()
  verifiedTokens.set(publicKey, ofKey)
  const found = ofKey.get(token)
  if (found && Date.now() < found.until) return found.claims
  ofKey.delete(token)
  const claims = await verifyIdToken(token, publicKey)
  if (!claims) return null
  if (ofKey.size >= MAX_CACHED_TOKENS) ofKey.delete(ofKey.keys().next().value!)
  ofKey.set(token, { claims, until: Math.min(claims.expiresAt.getTime(), Date.now() + CACHE_TTL_MS) })
  return claims
}

/** The session a token names, and the token's end; null where signature, algorithm, issuer, audience or time is wrong. */
export async function verifyIdToken(token: string, publicKey: KeyObject): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer: ISSUER,
      audience: AUDIENCE,
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

/** The public key as others fetch it (RFC 7517), for a GraphQL host that is not this server. */
export async function publicKeySet(publicKey: KeyObject) {
  const jwk = await exportJWK(publicKey)
  return { keys: [{ ...jwk, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(jwk) }] }
}
