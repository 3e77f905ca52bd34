import { readFileSync } from 'node:fs'
import { gql, InMemoryCache, type TypePolicies } from '@apollo/client'
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { typePolicies } from './type-policies.ts'

type List = { type: string; field: string; args: string[] }

/** Returns every paged list of the schema, with the arguments that distinguish one query from another. */
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

/** Returns every list whose pages the cache merges. */
function findMergedLists(): List[] {
  return Object.entries<TypePolicies[string]>(typePolicies).flatMap(([type, { fields = {} }]) =>
    Object.entries(fields).flatMap(([field, policy]) =>
      typeof policy === 'object' && Array.isArray(policy.keyArgs)
        ? [{ type, field, args: [...policy.keyArgs].sort() }]
        : [],
    ),
  )
}

const byName = (a: List, b: List) => (`${a.type}.${a.field}` < `${b.type}.${b.field}` ? -1 : 1)

it('the cache merges the pages of every paged list of the schema, separately for each query', () => {
  expect(findLists()).toContainEqual({ type: 'Query', field: 'messages', args: ['state', 'undelivered'] })
  expect(findMergedLists().sort(byName)).toEqual(findLists().sort(byName))
})

it('the cache appends a later page, and replaces the list when the first page is reloaded', () => {
  const cache = new InMemoryCache({ typePolicies })
  const query = gql`
    query Messages($after: String, $state: MessageState) {
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
