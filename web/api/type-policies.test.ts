import { readFileSync } from 'node:fs'
import { gql, InMemoryCache, type TypePolicies } from '@apollo/client'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { typePolicies } from './type-policies.ts'

type List = { type: string; field: string; args: string[] }

/** Every list of the schema that comes in pages, with the arguments that tell one question from another. */
function findLists(): List[] {
  const types = Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())
  return types.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name.endsWith('Page'))
      .map(({ name, args }) => ({
        type: type.name,
        field: name,
        args: args.map((arg) => arg.name).filter((arg) => arg !== 'after' && arg !== 'first'),
      })),
  )
}

/** Every list whose pages the cache puts together. */
function findKeptLists(): List[] {
  return Object.entries<TypePolicies[string]>(typePolicies).flatMap(([type, { fields = {} }]) =>
    Object.entries(fields).flatMap(([field, policy]) =>
      typeof policy === 'object' && Array.isArray(policy.keyArgs)
        ? [{ type, field, args: [...policy.keyArgs].sort() }]
        : [],
    ),
  )
}

const byName = (one: List, other: List) =>
  `${one.type}.${one.field}` < `${other.type}.${other.field}` ? -1 : 1

it('puts the pages of every list of the schema together, each question’s apart', () => {
  expect(findLists()).toContainEqual({ type: 'Query', field: 'messages', args: ['state'] })
  expect(findKeptLists().sort(byName)).toEqual(findLists().sort(byName))
})

it('puts a page behind those before it, and begins anew with the first', () => {
  const cache = new InMemoryCache({ typePolicies })
  const query = gql`
    query Messages($after: String, $state: String) {
      messages(after: $after, state: $state) {
        endCursor
        nodes {
          id
        }
      }
    }
  `
  const write = (ids: string[], endCursor: string | null, variables: Record<string, string>) => {
    const nodes = ids.map((id) => ({ __typename: 'Message', id }))
    cache.writeQuery({
      query,
      variables,
      data: { messages: { __typename: 'MessagePage', endCursor, nodes } },
    })
  }
  const read = (variables = {}) => {
    const data = cache.readQuery<{ messages: { nodes: { id: string }[] } }>({ query, variables })
    return data?.messages.nodes.map(({ id }) => id)
  }
  write(['1', '2'], 'b', {})
  write(['3'], null, { after: 'b' })
  write(['2'], null, { state: 'failed' })
  expect(read()).toEqual(['1', '2', '3'])
  expect(read({ state: 'failed' })).toEqual(['2'])
  write(['4'], null, {})
  expect(read()).toEqual(['4'])
})
