import { type GraphQLObjectType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../server/schema.ts'
import { TYPES } from './types.ts'

const ROOTS = ['Query', 'Mutation', 'Subscription']
const types = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType =>
    isObjectType(type) && !type.name.startsWith('__') && !ROOTS.includes(type.name),
)

describe('the table of types', () => {
  it('has a row for every object type of the schema, and no other [6.4]', () => {
    expect(Object.keys(TYPES).sort()).toEqual(types.map(({ name }) => name).sort())
  })

  it.each(types.map((type) => [type.name, type] as const))(
    '%s has the scope of its row [6.4]',
    (name, type) => {
      const { authScopes } = type.extensions.pothosOptions as { authScopes?: Record<string, unknown> }
      const row = TYPES[name]!
      if (!('scope' in row)) return expect(authScopes).toBeUndefined()
      const isRole = row.scope === 'staff' || row.scope === 'admin'
      expect(authScopes).toEqual(isRole ? { [row.scope]: true } : { feature: row.scope })
    },
  )

  it('lists every field of the types that institutions read one by one [6.4]', () => {
    const listed = types.flatMap(({ name }) => {
      const row = TYPES[name]!
      return 'open' in row ? [...row.open, ...row.hidden].map((field) => `${name}.${field}`) : []
    })
    const inSchema = types
      .filter(({ name }) => 'open' in TYPES[name]!)
      .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
    expect(listed.sort()).toEqual(inSchema.sort())
  })
})
