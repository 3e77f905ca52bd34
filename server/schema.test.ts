import { readFile } from 'node:fs/promises'
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  lexicographicSortSchema,
  printSchema,
  specifiedScalarTypes,
} from 'graphql'
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

  it.each(rootFields)('$name declares its authScopes [6.4]', ({ field }) => {
    const options = field.extensions.pothosOptions as { authScopes?: Record<string, unknown> }
    const scopes = Object.entries(options.authScopes ?? {}).filter(([, wanted]) => wanted)
    expect(scopes.length).toBeGreaterThan(0)
  })

  it('opens few fields to public API keys, whose types lead to nothing else [6.5]', () => {
    const isPublic = ({ field }: (typeof rootFields)[number]) => {
      const { authScopes, skipTypeScopes } = field.extensions.pothosOptions as Record<string, unknown>
      return Boolean(skipTypeScopes) || 'anyClient' in ((authScopes as object | undefined) ?? {})
    }
    const open = rootFields.filter(isPublic)
    expect(open.map(({ name }) => name).sort()).toEqual([
      'Mutation.leaveShare',
      'Mutation.proveShare',
      'Mutation.sendShareCode',
      'Query.accountLink',
      'Query.publicSite',
      'Query.sharePage',
      'Query.sharedResults',
    ])
    const reached = new Set<string>()
    const reach = (named: GraphQLNamedType) => {
      if (!isCompositeType(named) || reached.has(named.name)) return
      reached.add(named.name)
      for (const field of Object.values((named as GraphQLObjectType).getFields()))
        reach(getNamedType(field.type))
    }
    for (const { field } of open) reach(getNamedType(field.type))
    expect([...reached].sort()).toEqual([
      'AccountLink',
      'PublicSite',
      'ShareLink',
      'ShareProofResult',
      'SharedEvent',
      'SharedFile',
      'SharedNews',
      'SharedResults',
      'SharedUpload',
    ])
  })

  it.each(roots)('allows only signed-in users in $name where a field declares no scope [6.4]', (type) => {
    const options = type.extensions.pothosOptions as { authScopes?: object }
    expect(options.authScopes).toEqual({ signedIn: true })
  })

  it('describes every root field, type, input, enum and scalar', () => {
    const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
    const builtIn = new Set(specifiedScalarTypes.map(({ name }) => name))
    const undescribed = [
      ...own.filter(({ name, description }) => !builtIn.has(name) && !description).map(({ name }) => name),
      ...rootFields.filter(({ field }) => !field.description).map(({ name }) => name),
    ]
    expect(undescribed).toEqual([])
  })

  it('names in each description what the authScopes require [6.4]', () => {
    const descriptions = new Map(rootFields.map(({ name, field }) => [name, field.description]))
    expect(descriptions.get('Query.system')).toBe('The state of the server. Administrators only.')
    expect(descriptions.get('Query.me')).toBe('The signed-in user.')
    expect(descriptions.get('Query.publicSite')).toMatch(/Also with a public API key\.$/)
    expect(descriptions.get('Query.ownInstitutions')).toMatch(
      /Users of institutions only\. Requires the feature `profile::institution`\.$/,
    )
    const silent = rootFields.filter(
      ({ field }) => !/only\.|Requires|Also with/.test(field.description ?? ''),
    )
    for (const { name, field } of silent) {
      const { authScopes } = field.extensions.pothosOptions as { authScopes?: object }
      expect([name, authScopes]).toEqual([name, { signedIn: true }])
    }
  })

  it('is the one that is printed in schema.graphql', async () => {
    const printed = `${printSchema(lexicographicSortSchema(schema))}\n`
    expect(await readFile('schema.graphql', 'utf8')).toBe(printed)
  })
})
