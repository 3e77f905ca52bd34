import { useQuery } from '@apollo/client/react'
import { useEffect } from 'react'
import { QUEUE_COUNTS } from './queue-counts.queries.ts'
import { countTexts } from './queue-counts.ts'
import { LONG_BATCH_MS, useLiveUploads } from './use-live-uploads.ts'

/** Reads again after changes how many uploads wait, which `FrameCounts` has read before, and reports the text for those in review (`12`, `99+`). */
export function LiveQueueCounts({ onInReview }: { onInReview: (count: string | undefined) => void }) {
  const { data, refetch } = useQuery(QUEUE_COUNTS, { fetchPolicy: 'cache-only' })
  useLiveUploads(() => void refetch().catch(() => undefined), { batchMs: LONG_BATCH_MS })
  useEffect(() => {
    if (data) onInReview(countTexts(data.queueCounts).get('in_review'))
  }, [data, onInReview])
  return null
}
