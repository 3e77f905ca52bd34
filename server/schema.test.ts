import { readFile } from 'node:fs/promises'
import { type GraphQLObjectType, lexicographicSortSchema, printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from './schema.ts'

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
  (type): type is GraphQLObjectType => Boolean(type),
)
const rootFields = roots.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
)

describe('the schema', () => {
  it('has the three root types', () => {
    expect(rootFields.length).toBeGreaterThan(20)
  })

  it.each(rootFields)('$name says who may enter [6.4]', ({ field }) => {
    const options = field.extensions.pothosOptions as { authScopes?: Record<string, unknown> }
    const scopes = Object.entries(options.authScopes ?? {}).filter(([, wanted]) => wanted)
    expect(scopes.length).toBeGreaterThan(0)
  })

  it('is the one that schema.graphql prints', async () => {
    const printed = `${printSchema(lexicographicSortSchema(schema))}\n`
    expect(await readFile('schema.graphql', 'utf8')).toBe(printed)
  })
})
