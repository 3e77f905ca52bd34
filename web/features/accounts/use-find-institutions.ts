import { useApolloClient } from '@apollo/client/react'
import type { LoadOptions } from '../../ui/option-loader.ts'
import { INSTITUTION_OPTIONS } from './accounts.queries.ts'

/** The institutions that answer to a text, to choose from; a suspended one is shown and cannot be. */
export function useFindInstitutions(): LoadOptions {
  const client = useApolloClient()
  return async (search, after) => {
    const variables = { search, after }
    const { data } = await client.query({
      query: INSTITUTION_OPTIONS,
      variables,
      fetchPolicy: 'network-only',
    })
    const { nodes, endCursor } = data!.institutions
    const options = nodes.map(({ id, name, shortName, locality, suspendedAt }) => ({
      id,
      label: name,
      description: [shortName, locality, suspendedAt && 'suspendată'].filter(Boolean).join(' · '),
      isDisabled: suspendedAt !== null,
    }))
    return { options, next: endCursor }
  }
}
