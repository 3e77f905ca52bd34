import { afterAll, expect, it } from 'vitest'
import { makeUser } from '../db/factories.ts'
import { LIMITS } from '../shared/limits.ts'
import { createTestServer } from '../test/test-server.ts'
import { schema } from './schema.ts'

const TEXTS: ReadonlySet<string> = new Set(['search', 'query'])

it('rejects a search text that is too long in every search', async () => {
  const server = await createTestServer({}, afterAll)
  const client = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  const searches = Object.values(schema.getQueryType()!.getFields()).flatMap((field) =>
    field.args.filter(({ name }) => TEXTS.has(name)).map((arg) => ({ field: field.name, arg })),
  )
  expect(searches.length).toBeGreaterThan(5)
  const search = 'a1 '.repeat(LIMITS.searchText)
  for (const { field, arg } of searches) {
    const { errors } = await client.graphql(
      `query ($text: ${arg.type}) { ${field}(${arg.name}: $text) { __typename } }`,
      { text: search },
    )
    const [error] = errors as { extensions: { code: string; fields?: { field: string }[] } }[]
    const expected = field === 'inbox' ? ['FORBIDDEN', undefined] : ['BAD_USER_INPUT', arg.name]
    expect([field, error?.extensions.code, error?.extensions.fields?.[0]?.field]).toEqual([
      field,
      ...expected,
    ])
  }
})
