import { useQuery } from '@apollo/client/react'
import { LIMITS } from '../../../shared/limits.ts'
import { boundedCount } from '../../../shared/romania/romanian.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { QUEUE_COUNTS } from './queue-counts.queries.ts'

/** Returns how many uploads wait in each state, as texts (`12`, `99+`). `LiveQueueCounts` of the frame keeps them current. */
export function useQueueCounts(): ReadonlyMap<UploadState, string> {
  const { data } = useQuery(QUEUE_COUNTS, { fetchPolicy: 'cache-only' })
  return countTexts(data?.queueCounts ?? [])
}

export const countTexts = (counts: readonly { state: UploadState; count: number }[]) =>
  new Map(
    counts.flatMap(({ state, count }) =>
      count > 0 ? [[state, boundedCount(count, LIMITS.shownCount)] as const] : [],
    ),
  )
