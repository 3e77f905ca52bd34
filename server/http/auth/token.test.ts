import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TokenAudience } from '../../../shared/token-audiences.ts'
import { createTestClient } from '../../../test/client.ts'
import { listen } from '../../../test/real-http.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { newId } from '../../platform/ids.ts'
import { verifyIdToken } from './id-token.ts'

const EMAIL = 'registratura@clinica.test'

async function createSignedIn() {
  const server = await createTestServer()
  const user = await createUser(server.db, { email: EMAIL })
  const visitor = createTestClient(server)
  await visitor.signIn(EMAIL)
  return { server, user, visitor }
}

const readToken = async (visitor: ReturnType<typeof createTestClient>) =>
  (await (await visitor.get('/api/token')).json()) as { expires_at: number; id_token: string }

describe('GET /api/token', () => {
  it('returns { expires_at, id_token } with user and session and no other data of them [7.6] [3.1]', async () => {
    const { server, user, visitor } = await createSignedIn()
    const { expires_at, id_token } = await readToken(visitor)
    const session = await server.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
    const now = Math.floor(Date.now() / 1000)
    expect(decodeProtectedHeader(id_token)).toEqual({ alg: 'EdDSA' })
    expect(decodeJwt(id_token)).toEqual({
      sub: user.id,
      sid: session.id,
      iss: 'dosar',
      aud: 'graphql',
      iat: expect.closeTo(now, -1),
      exp: expires_at,
    })
    expect(expires_at).toBeGreaterThan(now + 890)
    expect(expires_at).toBeLessThanOrEqual(now + 900)
  })

  it('returns a token for each audience, accepted by its own routes alone', async () => {
    const server = await createTestServer()
    await createUser(server.db, { email: EMAIL, role: 'admin' })
    const visitor = createTestClient(server)
    await visitor.signIn(EMAIL)
    // Without cookies, so that only the token counts.
    const program = createTestClient(server)
    const statuses = async (audience: TokenAudience) => {
      const headers = { authorization: await visitor.authorization(audience) }
      const graphql = await program.postGraphql({ query: '{ me { id } }' }, headers)
      const file = await program.fetch(`/files/${newId()}`, { headers })
      const transfer = await program.fetch('/files', {
        method: 'POST',
        headers: { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '1' },
      })
      const picture = await program.fetch('/api/site-images/logo', { method: 'POST', headers, body: 'x' })
      const log = await program.fetch('/api/logs.csv', { headers })
      return [graphql, file, transfer, picture, log].map(({ status }) => status)
    }
    expect(await statuses('graphql')).toEqual([200, 401, 401, 401, 401])
    expect(await statuses('files')).toEqual([401, 404, 400, 400, 401])
    expect(await statuses('export')).toEqual([401, 401, 401, 401, 200])
    expect(await statuses('realtime')).toEqual([401, 401, 401, 401, 401])
    const unknown = await visitor.get('/api/token?audience=share')
    expect([unknown.status, (await unknown.json()).code]).toEqual([400, 'BAD_USER_INPUT'])
  })

  it('returns nulls without a session, and is never cached [7.6]', async () => {
    const { server } = await createSignedIn()
    const response = await createTestClient(server).get('/api/token')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ expires_at: null, id_token: null })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('sends the time of the server, by which the token expires [7.6]', async () => {
    const { server, visitor } = await createSignedIn()
    const real = await listen(server.app)
    onTestFinished(real.close)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(`${real.url}/api/token`, { headers: { cookie } })
    const { expires_at } = (await response.json()) as { expires_at: number }
    const serverSeconds = Date.parse(response.headers.get('date')!) / 1000
    expect(expires_at - serverSeconds).toBeGreaterThanOrEqual(899)
    expect(expires_at - serverSeconds).toBeLessThanOrEqual(901)
  })

  it('ends with the session if that ends first', async () => {
    const { server, visitor } = await createSignedIn()
    const end = new Date(Date.now() + 60_000)
    await server.db.updateTable('session').set({ expires_at: end }).execute()
    expect((await readToken(visitor)).expires_at).toBe(Math.floor(end.getTime() / 1000))
  })

  it('signs with the key that is published at /.well-known/jwks.json', async () => {
    const { server, user, visitor } = await createSignedIn()
    const { id_token } = await readToken(visitor)
    const response = await server.app.request('/.well-known/jwks.json')
    const keySet = await response.json()
    expect(Object.keys(keySet.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    const { payload } = await jwtVerify(id_token, createLocalJWKSet(keySet))
    expect(payload.sub).toBe(user.id)
  })
})

describe('rejected tokens', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  async function forge(
    { services }: TestServer,
    over: Record<string, unknown>,
    header: Record<string, unknown> = {},
  ) {
    const claims = {
      sub: newId(),
      sid: newId(),
      iss: 'dosar',
      aud: 'graphql',
      iat: seconds(),
      exp: seconds() + 900,
    }
    const payload = Object.fromEntries(
      Object.entries({ ...claims, ...over }).filter(([, value]) => value !== null),
    )
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', ...header })
      .sign(services.signingKeys.privateKey)
  }

  it('do not include a valid one, so that the others are rejected for their own reason', async () => {
    const server = await createTestServer()
    expect(
      await verifyIdToken(await forge(server, {}), 'graphql', server.services.signingKeys.publicKey),
    ).not.toBeNull()
  })

  it('do not include one that is off by up to 5 s of another server’s clock, but those beyond', async () => {
    const server = await createTestServer()
    const verify = async (claims: Record<string, unknown>) =>
      (await verifyIdToken(await forge(server, claims), 'graphql', server.services.signingKeys.publicKey)) !==
      null
    expect(await verify({ iat: seconds() + 3, exp: seconds() + 903 })).toBe(true)
    expect(await verify({ exp: seconds() - 3 })).toBe(true)
    expect(await verify({ iat: seconds() + 10, exp: seconds() + 910 })).toBe(false)
    expect(await verify({ exp: seconds() - 10 })).toBe(false)
  })

  it('have another algorithm, another key or changed content', async () => {
    const server = await createTestServer()
    const { publicKey } = server.services.signingKeys
    const good = await forge(server, {})
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const publicBytes = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const claims = decodeJwt(good)
    const otherKeys = generateKeyPairSync('ed25519')
    const otherJwk = otherKeys.publicKey.export({ format: 'jwk' })
    const bad = {
      none: `${encode({ alg: 'none' })}.${payload}.`,
      'none with signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
      'HS256 with the public key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(publicBytes)),
      'HS256 with the bytes of the public key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')),
      'a wrong key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(otherKeys.privateKey),
      'a key of its own in the header': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: otherJwk.x! } })
        .sign(otherKeys.privateKey),
      'no signature': `${header}.${payload}.`,
      'a changed payload': `${header}.${encode({ ...claims, sub: newId() })}.${signature}`,
      'a critical header': `${encode({ alg: 'EdDSA', crit: ['x'], x: 1 })}.${payload}.${signature}`,
      'no token': 'x',
      nothing: '',
    }
    for (const [name, token] of Object.entries(bad)) {
      expect([name, await verifyIdToken(token, 'graphql', publicKey)]).toEqual([name, null])
    }
  })

  it('have missing, malformed or wrong claims', async () => {
    const server = await createTestServer()
    const bad: Record<string, unknown>[] = [
      { exp: null },
      { iat: null },
      { sub: null },
      { sid: null },
      { sid: 7 },
      { exp: '9999999999' },
      { exp: seconds() - 60 },
      { exp: -1 },
      { iat: seconds() - 4_000, exp: seconds() + 900 },
      { iat: seconds() + 600 },
      { nbf: seconds() + 600 },
      { aud: 'share' },
      { iss: 'altcineva' },
    ]
    for (const claims of bad) {
      const token = await forge(server, claims)
      expect([claims, await verifyIdToken(token, 'graphql', server.services.signingKeys.publicKey)]).toEqual([
        claims,
        null,
      ])
    }
  })

  it('get 401 from GraphQL, which keeps working', async () => {
    const { server, visitor } = await createSignedIn()
    const { id_token } = await readToken(visitor)
    const query = (authorization: string) =>
      server.app.request('/graphql', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
      })
    const rejected = [
      `Basic ${id_token}`,
      `Token ${id_token}`,
      `bearer ${id_token}`,
      `Bearer ${id_token}, Bearer ${id_token}`,
      'Bearer %E0%A4%A',
      `Bearer ${'x'.repeat(65_536)}`,
      `Bearer ${await forge(server, {})}`,
      'Bearer ',
    ]
    for (const authorization of rejected) {
      expect([authorization.slice(0, 20), (await query(authorization)).status]).toEqual([
        authorization.slice(0, 20),
        401,
      ])
    }
    expect((await query(`Bearer ${id_token}`)).status).toBe(200)
    expect(server.logged.join('')).not.toContain(id_token)
  })
})
