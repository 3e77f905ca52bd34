import { useQuery } from '@apollo/client/react'
import { useEffect } from 'react'
import { useFeature } from '../../session/use-session.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { REQUEST_COUNTS } from './questions.queries.ts'

function useCounts(fetchPolicy: 'cache-and-network' | 'cache-only') {
  const { data, refetch } = useQuery(REQUEST_COUNTS, {
    variables: { withQuestions: useFeature('patient::files') },
    fetchPolicy,
  })
  return {
    accessRequests: data?.accessRequestCount ?? 0,
    questions: data?.questionCount ?? 0,
    reload: () => void refetch().catch(() => undefined),
  }
}

/** Returns how many requests for access and questions wait for staff, as last read by `RequestCounts`. */
export const useRequestCounts = () => useCounts('cache-only')

/** Counts what institutions ask on every page of staff, and reads again when it changes. */
export function RequestCounts({ onCount }: { onCount: (count: number) => void }) {
  const { accessRequests, questions, reload } = useCounts('cache-and-network')
  useListChanges('ACCESS_REQUESTS', reload)
  useListChanges('QUESTIONS', reload)
  useEffect(() => onCount(accessRequests + questions), [accessRequests, questions, onCount])
  return null
}
