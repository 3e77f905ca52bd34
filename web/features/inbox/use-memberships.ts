import { useQuery } from '@apollo/client/react'
import { MEMBERSHIPS, type Membership } from './inbox.queries.ts'

/** Returns the user's institutions with their departments and doctors; null until `InstitutionHome` has loaded them. */
export function useMemberships(): readonly Membership[] | null {
  const { data } = useQuery(MEMBERSHIPS, { fetchPolicy: 'cache-only', nextFetchPolicy: 'cache-only' })
  return data?.memberships ?? null
}
