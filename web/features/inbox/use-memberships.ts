import { useQuery } from '@apollo/client/react'
import { FROM_CACHE } from '../../api/from-cache.ts'
import { MEMBERSHIPS, type Membership } from './inbox.queries.ts'

/** Returns the user's institutions with their departments and doctors; null until `InstitutionHome` has loaded them. */
export function useMemberships(): readonly Membership[] | null {
  const { data } = useQuery(MEMBERSHIPS, FROM_CACHE)
  return data?.memberships ?? null
}
