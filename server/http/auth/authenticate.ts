import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { TokenAudience } from '../../../shared/token-audiences.ts'
import type { PublicActor, UserActor } from '../../context.ts'
import {
  findActorBySession,
  findActorByToken,
  type SessionActor,
} from '../../features/accounts/sessions/find-actor.ts'
import { recordUse } from '../../features/accounts/sessions/record-use.ts'
import { findApiKey } from '../../features/site/find-api-key.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { verifyIdTokenCached } from './id-token.ts'

/**
 * The cookie with the session's token. The prefix `__Host-` binds it to this host, over TLS or on localhost.
 */
export const SESSION_COOKIE = '__Host-dosar.session'

const BEARER = /^(?:Bearer )?([A-Za-z0-9._~+/-]{1,4096}=*)$/

/**
 * Returns the user of `Authorization: Bearer <id_token>` or of the token alone [7.8]; null if it is missing,
 * malformed, forged, expired, revoked or for another audience.
 */
export async function authenticateBearer(
  services: Services,
  authorization: string | undefined,
  audience: TokenAudience,
): Promise<SessionActor | null> {
  const token = BEARER.exec(authorization ?? '')?.[1]
  const claims = token ? await verifyIdTokenCached(token, audience, services.signingKeys.publicKey) : null
  if (!claims) return null
  const found = await findActorBySession(services.db, claims.sessionId, new Date())
  return found?.actor.id === claims.userId ? found : null
}

/**
 * Returns the user of the session cookie, for routes that a browser opens without a script; null without a
 * session.
 */
export async function authenticateCookie(services: Services, c: Context<Env>): Promise<SessionActor | null> {
  const token = getCookie(c, SESSION_COOKIE)
  return token ? findActorByToken(services.db, token, new Date()) : null
}

/**
 * Returns the user of an upload or download: by the bearer token if the request has one, else by the cookie.
 * Null for an invalid bearer token even beside a valid cookie, so that a request never falls back to another
 * identity. The request is a use of the session.
 */
export async function authenticateRequest(services: Services, c: Context<Env>): Promise<UserActor | null> {
  const authorization = c.req.header('authorization')
  const found = authorization
    ? await authenticateBearer(services, authorization, 'files')
    : await authenticateCookie(services, c)
  if (found) await recordUse(services.db, found.actor, new Date())
  return found?.actor ?? null
}

/**
 * Returns the client of a GraphQL request: the user of the bearer token or, without an Authorization header,
 * the program of the header `x-api-key` [7.8]. Null for an invalid bearer token even beside a valid key.
 */
export async function authenticateApiClient(
  services: Services,
  c: Context<Env>,
): Promise<UserActor | PublicActor | null> {
  const authorization = c.req.header('authorization')
  if (authorization !== undefined)
    return (await authenticateBearer(services, authorization, 'graphql'))?.actor ?? null
  const key = c.req.header('x-api-key')
  return key === undefined ? null : findApiKey(services.db, key, new Date())
}
