import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCategory, makeInstitution, makeUser } from '../../../db/factories.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { hashToken } from '../../platform/crypto/keys.ts'

const FIELDS = `id name kind institution { id name } category { slug name } addresses submitsToReview hint version
  createdAt lastUsedAt revokedAt`
const CREATE = `mutation ($input: IntegrationInput!) { createIntegration(input: $input) { key integration { ${FIELDS} } } }`
const UPDATE = `mutation ($id: ID!, $version: Int!, $input: IntegrationInput!) {
  updateIntegration(id: $id, version: $version, input: $input) { ${FIELDS} } }`
const REVOKE = `mutation ($id: ID!) { revokeIntegration(id: $id) { ${FIELDS} } }`
const LIS = { name: ' LIS  central', kind: 'program', addresses: [], submitsToReview: false }

let server: TestServer
let admin: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await server.signIn((await makeUser(server.db, { role: 'admin', name: 'Ana Administrator' })).email)
})

const create = async (input: object = {}) =>
  (await admin.runQuery(CREATE, { input: { ...LIS, ...input } })).createIntegration
const refuse = async (query: string, variables: object) => {
  const { errors } = await admin.graphql(query, { ...variables })
  return { code: errors[0]?.extensions.code, fields: errors[0]?.extensions.fields }
}
const auditOf = (id: string) =>
  server.db
    .selectFrom('audit_event')
    .select(['action', 'actor_name', 'changes'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

describe('integrations', () => {
  it('get a key that is shown once; the database stores a hash and four characters', async () => {
    const { id: institutionId } = await makeInstitution(server.db, { name: 'Clinica Întâi' })
    const category = await makeCategory(server.db)
    const addresses = [' 10.0.0.0/8', '2001:DB8::1', '10.0.0.0/8']
    const { key, integration } = await create({ institutionId, categorySlug: category.slug, addresses })
    expect(key).toMatch(/^di_[A-Za-z0-9_-]{43}$/)
    expect(integration).toMatchObject({
      name: 'LIS central',
      kind: 'program',
      institution: { id: institutionId },
      category: { slug: category.slug, name: category.name },
      addresses: ['10.0.0.0/8', '2001:db8::1'],
      submitsToReview: false,
      hint: key.slice(-4),
      version: 1,
      lastUsedAt: null,
      revokedAt: null,
    })
    const row = await server.db
      .selectFrom('integration')
      .selectAll()
      .where('id', '=', integration.id)
      .executeTakeFirstOrThrow()
    expect(row.key_hash).toEqual(hashToken(key))
    expect(JSON.stringify(row)).not.toContain(key)
    const { integrations } = await admin.runQuery(`{ integrations { ${FIELDS} } }`)
    expect(integrations[0]).toEqual(integration)
    expect(await auditOf(integration.id)).toMatchObject([
      {
        action: 'integration.create',
        actor_name: 'Ana Administrator',
        changes: { name: { to: 'LIS central' } },
      },
    ])
  })

  it('are changed from the version that is shown, and recorded', async () => {
    const { integration } = await create()
    const { id } = integration
    const input = { ...LIS, name: 'Scaner', kind: 'folder', submitsToReview: true }
    const { updateIntegration } = await admin.runQuery(UPDATE, { id, version: 1, input })
    expect(updateIntegration).toMatchObject({
      name: 'Scaner',
      kind: 'folder',
      submitsToReview: true,
      version: 2,
      hint: integration.hint,
    })
    expect((await refuse(UPDATE, { id, version: 1, input })).code).toBe('CONFLICT')
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'integration.update',
      changes: { name: { from: 'LIS central', to: 'Scaner' }, submits_to_review: { from: false, to: true } },
    })
  })

  it('are revoked once, and not changed after that', async () => {
    const { id } = (await create()).integration
    const { revokeIntegration } = await admin.runQuery(REVOKE, { id })
    expect(revokeIntegration.revokedAt).not.toBeNull()
    expect((await refuse(REVOKE, { id })).code).toBe('CONFLICT')
    expect((await refuse(UPDATE, { id, version: 2, input: LIS })).code).toBe('CONFLICT')
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'integration.create',
      'integration.revoke',
    ])
  })

  it.each([
    ['name', { name: ' ' }],
    ['addresses.0', { addresses: ['clinica.exemplu.ro'] }],
    ['addresses.1', { addresses: ['10.0.0.1', '10.0.0.0/33'] }],
    ['categorySlug', { categorySlug: 'nu-exista' }],
  ])('name the invalid field %s', async (field, input) => {
    const { code, fields } = await refuse(CREATE, { input: { ...LIS, ...input } })
    expect(code).toBe('BAD_USER_INPUT')
    expect(fields).toMatchObject([{ field }])
  })

  it('have no suspended institution', async () => {
    const { id: institutionId } = await makeInstitution(server.db, { suspended_at: new Date() })
    expect((await refuse(CREATE, { input: { ...LIS, institutionId } })).code).toBe('BAD_USER_INPUT')
  })
})
