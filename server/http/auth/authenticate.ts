import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { PublicActor, UserActor } from '../../context.ts'
import {
  findActorBySession,
  findActorByToken,
  type SessionActor,
} from '../../features/accounts/sessions/find-actor.ts'
import { findApiKey } from '../../features/site/find-api-key.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { verifyIdTokenCached } from './id-token.ts'

/** The cookie that holds the session's token. `__Host-` binds it to this very host, over TLS or on localhost. */
export const SESSION_COOKIE = '__Host-dosar.session'

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,4096}=*)$/

/** The person of `Authorization: Bearer <id_token>`; null for a missing, malformed, forged, expired or revoked one. */
export async function authenticateBearer(
  services: Services,
  authorization: string | undefined,
): Promise<SessionActor | null> {
  const token = BEARER.exec(authorization ?? '')?.[1]
  const claims = token ? await verifyIdTokenCached(token, services.signingKeys.publicKey) : null
  if (!claims) return null
  const found = await findActorBySession(services.db, claims.sessionId, new Date())
  return found?.actor.id === claims.userId ? found : null
}

/** The person of the session cookie, for the doors that a browser opens by itself. */
export async function authenticateCookie(services: Services, c: Context<Env>): Promise<SessionActor | null> {
  const token = getCookie(c, SESSION_COOKIE)
  return token ? findActorByToken(services.db, token, new Date()) : null
}

/**
 * The person behind a request for bytes (uploads, downloads): the bearer where the request has one, else the cookie.
 * A bad bearer is refused even beside a good cookie: no falling back to another identity.
 */
export async function authenticateRequest(services: Services, c: Context<Env>): Promise<UserActor | null> {
  const authorization = c.req.header('authorization')
  const found = authorization
    ? await authenticateBearer(services, authorization)
    : await authenticateCookie(services, c)
  return found?.actor ?? null
}

/**
 * Who asks GraphQL: the person of the bearer or, where the request has no Authorization at all, the program of the
 * header `x-api-key` [7.8]. One identity only: a bad bearer beside a good key is nobody.
 */
export async function authenticateApiClient(
  services: Services,
  c: Context<Env>,
): Promise<UserActor | PublicActor | null> {
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) return (await authenticateBearer(services, authorization))?.actor ?? null
  const key = c.req.header('x-api-key')
  return key === undefined ? null : findApiKey(services.db, key, new Date())
}
