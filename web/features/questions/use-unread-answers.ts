import { useQuery } from '@apollo/client/react'
import { FROM_CACHE } from '../../api/from-cache.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { UNREAD_ANSWERS } from './questions.queries.ts'

/** Returns how many questions of the user's institutions have an unread answer, as the page has loaded it, and keeps it up to date. */
export function useUnreadAnswers(hasFiles: boolean): number {
  const { data, refetch } = useQuery(UNREAD_ANSWERS, FROM_CACHE)
  useListChanges('QUESTIONS', () => {
    if (hasFiles) void refetch().catch(() => undefined)
  })
  return data?.questionCount ?? 0
}
