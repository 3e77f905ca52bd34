import { Hono } from 'hono'
import type { Parts } from '../parts.ts'
import { findCookieActor } from './actors.ts'
import { publicKeySet, signIdToken } from './id-token.ts'
import type { Env } from './types.ts'

/** The token for GraphQL, from the session cookie [7.6]: `expires_at` in unix seconds; both null for who is not signed in. */
export function createTokenDoor(parts: Parts): Hono<Env> {
  const door = new Hono<Env>()
  door.get('/', async (c) => {
    c.header('cache-control', 'no-store')
    const session = await findCookieActor(parts, c)
    if (!session) return c.json({ expires_at: null, id_token: null })
    const { actor, expiresAt: sessionEnd } = session
    const { idToken, expiresAt } = await signIdToken(
      actor,
      sessionEnd,
      parts.signingKeys.privateKey,
      new Date(),
    )
    return c.json({ expires_at: expiresAt, id_token: idToken })
  })
  return door
}

/** The public key of the id_tokens, for a GraphQL host that is not this server. */
export function createKeySetDoor({ signingKeys }: Pick<Parts, 'signingKeys'>): Hono<Env> {
  const keySet = publicKeySet(signingKeys.publicKey)
  const door = new Hono<Env>()
  door.get('/', async (c) => c.json(await keySet, 200, { 'cache-control': 'public, max-age=3600' }))
  return door
}
