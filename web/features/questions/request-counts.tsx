import { useQuery } from '@apollo/client/react'
import { useEffect } from 'react'
import { useFeature } from '../../session/use-session.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { REQUEST_COUNTS } from './questions.queries.ts'

/** Returns how many requests for access and questions wait for staff, as last read by `FrameCounts` or by `reload`. */
export function useRequestCounts() {
  const { data, refetch } = useQuery(REQUEST_COUNTS, {
    variables: { withQuestions: useFeature('patient::files') },
    fetchPolicy: 'cache-only',
  })
  return {
    accessRequests: data?.accessRequestCount ?? 0,
    questions: data?.questionCount ?? 0,
    reload: () => void refetch().catch(() => undefined),
  }
}

/** Reports what institutions ask on every page of staff, and reads it again when it changes. */
export function RequestCounts({ onCount }: { onCount: (count: number) => void }) {
  const { accessRequests, questions, reload } = useRequestCounts()
  useListChanges('ACCESS_REQUESTS', reload)
  useListChanges('QUESTIONS', reload)
  useEffect(() => onCount(accessRequests + questions), [accessRequests, questions, onCount])
  return null
}
