import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './schema.generated.d.ts'

/** Parses a query and types its result by the server's schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  disableMasking: true
  scalars: { DateTime: string; Date: string; JSON: unknown; ID: string }
}>()

export type { ResultOf, VariablesOf } from 'gql.tada'
