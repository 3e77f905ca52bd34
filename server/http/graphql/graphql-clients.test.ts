import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeAccountLink, makeUser } from '../../../db/factories.ts'
import { createTestServer, type GraphqlResponse, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { hashToken, newToken } from '../../platform/crypto/keys.ts'
import { schema } from '../../schema.ts'

/** The fields that a public API key may use, those of links with results for who has a link; all others are closed to it. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'Query.publicSite',
  'Query.accountLink',
  'Query.sharePage',
  'Query.sharedResults',
  'Mutation.leaveShare',
  'Mutation.proveShare',
  'Mutation.sendShareCode',
])

let server: TestServer
let token: string
let key: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  token = ((await (await admin.fetch('/api/token')).json()) as { id_token: string }).id_token
  key = (await admin.graphql('mutation { createApiKey(name: "Test") { key } }')).data.createApiKey.key
})

const post = (headers: Record<string, string>, query: string, variables: object = {}) =>
  server.app.request('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
const askWithKey = async (query: string, variables: object = {}) => {
  const response = await post({ 'x-api-key': key }, query, variables)
  return { status: response.status, ...((await response.json()) as Omit<GraphqlResponse, 'status'>) }
}

describe('the client of a GraphQL request', () => {
  const SITE = '{ publicSite { name } }'

  it.each([
    ['a token', () => ({ authorization: `Bearer ${token}` }), 200],
    ['a token without a scheme', () => ({ authorization: token }), 200],
    ['a key', () => ({ 'x-api-key': key }), 200],
    ['both', () => ({ authorization: `Bearer ${token}`, 'x-api-key': key }), 200],
    ['neither', () => ({}), 401],
    ['a bad token beside a good key', () => ({ authorization: 'Bearer x.y.z', 'x-api-key': key }), 401],
    ['another scheme beside a good key', () => ({ authorization: 'Basic eDp5', 'x-api-key': key }), 401],
    ['an empty Authorization beside a good key', () => ({ authorization: '', 'x-api-key': key }), 401],
    [
      'a bad token without a scheme beside a good key',
      () => ({ authorization: 'x.y.z', 'x-api-key': key }),
      401,
    ],
    ['a key as a bearer', () => ({ authorization: `Bearer ${key}` }), 401],
    ['a token as a key', () => ({ 'x-api-key': token }), 401],
    ['two keys in one', () => ({ 'x-api-key': `${key}, ${key}` }), 401],
    ['only the cookie of the default client', () => ({ cookie: `apollo:default.token=${token}` }), 401],
    ['only the cookie of the public client', () => ({ cookie: `apollo:public.token=${key}` }), 401],
  ])('is authenticated by one header alone: %s [6.5] [9.5]', async (_what, headers, status) => {
    expect((await post(headers(), SITE)).status).toBe(status)
  })

  it('is the user of the token when there is a key as well', async () => {
    const response = await post({ authorization: `Bearer ${token}`, 'x-api-key': key }, '{ me { role } }')
    expect(await response.json()).toEqual({ data: { me: { role: 'admin' } } })
  })
})

describe('a public API key', () => {
  const roots = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type, field })),
  )
  const closed = roots.filter(({ name }) => !PUBLIC_FIELDS.has(name))

  it.each(closed)('cannot read $name [6.4]', async ({ type, field }) => {
    const before = await countAudit()
    const keyword = type.name.toLowerCase()
    const response = await askWithKey(
      `${keyword} { ${field.name}${writeArgs(field.args)}${selection(field.type)} }`,
    )
    expect(response.status).toBe(200)
    expect(response.errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN'])
    expect(response.data?.[field.name] ?? null).toBeNull()
    // Written at once, or folded with the attempts of the same minute.
    await server.services.denials.flush()
    // The attempt is in the audit log, with the name of the key, and nothing else happened.
    expect(await countAudit()).toBe(before + 1)
  })

  it('cannot read a closed field beside an open one [6.4]', async () => {
    const { data, errors } = await askWithKey('{ publicSite { name } patients { nodes { id } } }')
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect(data).toBeNull()
  })

  it('is recorded with its denied attempts', async () => {
    await server.services.denials.flush()
    await askWithKey('{ me { id } }')
    await server.services.denials.flush()
    const row = await server.db
      .selectFrom('audit_event')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      action: 'access.denied',
      outcome: 'denied',
      actor_id: null,
      actor_name: 'Test',
      changes: { field: { to: 'Query.me' } },
    })
  })

  it('reads the public settings, and those only [1.5]', async () => {
    await upsertSettings(server.db, { name: 'Clinica Exemplu', color_scheme: 'teal', from_email: 'x@y.ro' })
    const all = Object.keys(getNamedFields('PublicSite')).join(' ')
    const { data } = await askWithKey(`{ publicSite { ${all} } }`)
    expect(data.publicSite).toMatchObject({
      name: 'Clinica Exemplu',
      colorScheme: 'teal',
      loginProvider: 'local',
      locales: ['ro'],
      url: 'http://localhost:3000',
    })
    expect(JSON.stringify(data)).not.toContain('x@y.ro')
  })

  const LINK = 'query ($token: String!) { accountLink(token: $token) { purpose name emailMasked expiresAt } }'
  const makeLink = async (over: { expires_at?: Date; status?: 'suspended' | 'invited' } = {}) => {
    const user = await makeUser(server.db, { name: 'Ioana Pop', status: over.status ?? 'invited' })
    const expiresAt = over.expires_at ?? new Date(Date.now() + 3_600_000)
    const link = await makeAccountLink(server.db, {
      user_id: user.id,
      purpose: 'invitation',
      expires_at: expiresAt,
    })
    return { link, expiresAt, email: user.email }
  }

  it('reads whose a one-time link is, without the address [1.3]', async () => {
    const { link, expiresAt, email } = await makeLink()
    const { data } = await askWithKey(LINK, { token: link })
    expect(data.accountLink).toEqual({
      purpose: 'invitation',
      name: 'Ioana Pop',
      emailMasked: `${email[0]}•••@${email.split('@')[1]}`,
      expiresAt: expiresAt.toISOString(),
    })
  })

  it.each([
    ['was never made', async () => newToken()],
    ['is no link', async () => "' or 1=1 --"],
    ['has expired', async () => (await makeLink({ expires_at: new Date(Date.now() - 1000) })).link],
    ['is of a suspended account', async () => (await makeLink({ status: 'suspended' })).link],
  ])('reads null for a link that %s', async (_what, make) => {
    const { status, data, errors } = await askWithKey(LINK, { token: await make() })
    expect({ status, data, errors }).toEqual({ status: 200, data: { accountLink: null }, errors: undefined })
  })

  it('reads null for a link of an account that may not use a password', async () => {
    const { link } = await makeLink()
    await upsertSettings(server.db, { login_provider: 'oidc' })
    onTestFinished(() => upsertSettings(server.db, { login_provider: 'local' }))
    expect((await askWithKey(LINK, { token: link })).data).toEqual({ accountLink: null })
  })

  it('reads null for a link that was used', async () => {
    const { link } = await makeLink()
    await server.db
      .updateTable('account_link')
      .set({ used_at: new Date() })
      .where('token_hash', '=', hashToken(link))
      .execute()
    expect((await askWithKey(LINK, { token: link })).data).toEqual({ accountLink: null })
  })
})

const countAudit = async () => (await server.db.selectFrom('audit_event').select('id').execute()).length

const getNamedFields = (name: string) => {
  const type = schema.getType(name)
  return type && 'getFields' in type ? type.getFields() : {}
}

const selection = (type: GraphQLOutputType) => (isCompositeType(getNamedType(type)) ? ' { __typename }' : '')

/** Returns the smallest valid arguments of a field. */
function writeArgs(args: readonly GraphQLArgument[]): string {
  const needed = args.filter(({ type }) => isNonNullType(type))
  return needed.length > 0 ? `(${needed.map((arg) => `${arg.name}: ${literal(arg.type)}`).join(', ')})` : ''
}

function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType)
  if (isListType(type)) return '[]'
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type))
    return `{ ${needed.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')} }`
  }
  return LITERALS[type.name] ?? ('getValues' in type ? type.getValues()[0]!.name : '"x"')
}

const LITERALS: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  Date: '"2020-01-01"',
}
