import { useApolloClient } from '@apollo/client/react'
import type { LoadOptions } from '../../ui/options/option-loader.ts'
import { INSTITUTION_OPTIONS } from './accounts.queries.ts'

/**
 * Returns a loader of institutions that match a text; suspended institutions are left out, since they get no
 * new data.
 */
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
    const options = nodes.map(({ id, name, shortName, locality }) => ({
      id,
      label: name,
      description: [shortName, locality].filter(Boolean).join(' · '),
    }))
    return { options, next: endCursor }
  }
}
