import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { collectOperations } from '../../../scripts/collect-operations.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { ensureOwnApiKey, ownApiKey } from './own-api-key.ts'

let server: TestServer
let admin: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin', name: 'Ana Administrator' })).email)
})

const CREATE = `mutation ($name: String!) {
  createApiKey(name: $name) { key apiKey { id name hint isOwn authorName lastUsedAt revokedAt } }
}`
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) }'
const issue = async (name: string) => (await admin.graphql(CREATE, { name })).data.createApiKey
const querySite = (key: string, query = '{ publicSite { name } }') =>
  server.app.request('/graphql', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { token: 'x' } }),
  })
const rowOf = (id: string) =>
  server.db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['action', 'actor_name', 'changes'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

describe('public API keys', () => {
  it('are shown once; the database stores a hash and four characters [6.5]', async () => {
    const { key, apiKey } = await issue('  Site-ul  clinicii ')
    expect(key).toMatch(/^dk_[A-Za-z0-9_-]{43}$/)
    expect(apiKey).toMatchObject({ name: 'Site-ul clinicii', isOwn: false, authorName: 'Ana Administrator' })
    const row = await rowOf(apiKey.id)
    expect(row.key_hash).toEqual(hashToken(key))
    expect(row.hint).toBe(key.slice(-4))
    expect(JSON.stringify(row)).not.toContain(key)
    expect(await auditOf(apiKey.id)).toEqual([
      {
        action: 'api-key.create',
        actor_name: 'Ana Administrator',
        changes: { name: { to: 'Site-ul clinicii' } },
      },
    ])
    expect(JSON.stringify((await admin.graphql('{ apiKeys { id name hint } }')).data)).not.toContain(key)
  })

  it('give access to public fields until they are revoked [6.5]', async () => {
    const { key, apiKey } = await issue('De revocat')
    expect((await querySite(key)).status).toBe(200)
    expect((await admin.graphql(REVOKE, { id: apiKey.id })).data).toEqual({ revokeApiKey: apiKey.id })
    expect((await querySite(key)).status).toBe(401)
    expect((await auditOf(apiKey.id)).map(({ action }) => action)).toEqual([
      'api-key.create',
      'api-key.revoke',
    ])
    const again = await admin.graphql(REVOKE, { id: apiKey.id })
    expect(again.errors[0]?.extensions.code).toBe('CONFLICT')
  })

  it('store the time of their last use at most once a minute', async () => {
    const { key, apiKey } = await issue('Folosită')
    expect(apiKey.lastUsedAt).toBeNull()
    await querySite(key)
    const first = (await rowOf(apiKey.id)).last_used_at!
    expect(Date.now() - first.getTime()).toBeLessThan(10_000)
    await querySite(key)
    expect((await rowOf(apiKey.id)).last_used_at).toEqual(first)
    const before = new Date(Date.now() - 61_000)
    await server.db.updateTable('api_key').set({ last_used_at: before }).where('id', '=', apiKey.id).execute()
    await querySite(key)
    expect((await rowOf(apiKey.id)).last_used_at!.getTime()).toBeGreaterThan(before.getTime())
  })

  it.each([
    ['nothing', ''],
    ['something else', 'x'],
    ['one that was never issued', `dk_${'A'.repeat(43)}`],
    ['a hash', () => hashToken('dk_x').toString('hex')],
    ['64 KiB', 'dk_'.padEnd(65_536, 'A')],
  ])('reject %s with 401', async (_what, value) => {
    expect((await querySite(typeof value === 'function' ? value() : value)).status).toBe(401)
  })

  it.each(['staff', 'institution'] as const)(
    'cannot be listed, created or revoked by %s [6.4]',
    async (role) => {
      const client = await server.signIn((await makeUser(server.db, { role })).email)
      const { apiKey } = await issue(`Nu pentru ${role}`)
      const codes = [
        await client.graphql('{ apiKeys { id } }'),
        await client.graphql(CREATE, { name: 'x' }),
        await client.graphql(REVOKE, { id: apiKey.id }),
      ].map(({ errors }) => errors[0]?.extensions.code)
      expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
      expect((await rowOf(apiKey.id)).revoked_at).toBeNull()
    },
  )

  it.each([
    ['no name', '   '],
    ['a name of 201 characters', 'x'.repeat(201)],
  ])('require a name: %s is rejected', async (_what, name) => {
    const { errors } = await admin.graphql(CREATE, { name })
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field: 'name' }] })
  })

  it.each(['x', newId()])('cannot be revoked with an unknown id (%s)', async (id) => {
    expect((await admin.graphql(REVOKE, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND')
  })
})

describe('the key of the public pages', () => {
  /** The key of the pages opens only the pages' documents, where they are built. */
  let accountLink: string
  beforeAll(async () => {
    const operations = Object.values(await collectOperations())
    accountLink = operations.find((text) => text.startsWith('query AccountLink'))!
  })
  const start = (secret: Buffer) => ensureOwnApiKey(createSystemContext(server.services), secret)

  it('exists once after every start and changes with the secret [6.5]', async () => {
    const { secret } = server.services.config
    const other = Buffer.alloc(48, 7)
    await Promise.all([start(secret), start(secret)])
    await start(secret)
    const own = server.db.selectFrom('api_key').selectAll().where('created_by', 'is', null)
    expect(await own.execute()).toHaveLength(1)
    expect((await querySite(ownApiKey(secret), accountLink)).status).toBe(200)
    expect((await querySite(ownApiKey(other), accountLink)).status).toBe(401)

    await start(other)
    expect((await querySite(ownApiKey(secret), accountLink)).status).toBe(401)
    expect((await querySite(ownApiKey(other), accountLink)).status).toBe(200)
    // The former secret again, as after a restored configuration.
    await start(secret)
    expect((await querySite(ownApiKey(secret), accountLink)).status).toBe(200)
  })

  it('cannot be revoked', async () => {
    await start(server.services.config.secret)
    const { apiKeys } = (await admin.graphql('{ apiKeys { id name isOwn revokedAt } }')).data
    const own = apiKeys.find(
      (key: { isOwn: boolean; revokedAt: string | null }) => key.isOwn && !key.revokedAt,
    )
    expect(own.name).toBe('Dosar – paginile publice')
    expect((await admin.graphql(REVOKE, { id: own.id })).errors[0]?.extensions.code).toBe('CONFLICT')
    expect((await querySite(ownApiKey(server.services.config.secret), accountLink)).status).toBe(200)
  })
})
