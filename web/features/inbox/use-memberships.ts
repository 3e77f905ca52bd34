import { useQuery } from '@apollo/client/react'
import { MEMBERSHIPS, type Membership } from './inbox.queries.ts'

/** Returns the user's institutions with their departments and doctors; null until they are loaded. */
export function useMemberships(): readonly Membership[] | null {
  // The page and its list ask at the same time.
  const { data } = useQuery(MEMBERSHIPS, { context: { queryDeduplication: true } })
  return data?.memberships ?? null
}
