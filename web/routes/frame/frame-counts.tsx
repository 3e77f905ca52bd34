import { useApolloClient } from '@apollo/client/react'
import { useEffect } from 'react'
import { LiveNotificationCount } from '../../features/notifications/live-notification-count.tsx'
import { RequestCounts } from '../../features/questions/request-counts.tsx'
import { LiveQueueCounts } from '../../features/uploads/live-queue-counts.tsx'
import { OwnNotices } from '../../features/uploads/own-notices.tsx'
import { useFeature, useUser } from '../../session/use-session.ts'
import { FRAME_COUNTS } from './frame-counts.queries.ts'

/**
 * Reads all counts of the frame in one request, then each again when it changes. `ownChanges` counts the changes of the
 * user's own uploads.
 */
export function FrameCounts({
  ownChanges,
  onNotices,
  onRequests,
  onInReview,
}: {
  ownChanges: number
  onNotices: (count: number) => void
  onRequests: (count: number) => void
  onInReview: (count: string | undefined) => void
}) {
  const client = useApolloClient()
  const isStaff = useUser().role !== 'institution'
  const hasFiles = useFeature('patient::files')
  const isReviewer = useFeature('admin::review-files') && isStaff
  const withNotices = isStaff && hasFiles
  useEffect(() => {
    client
      .query({
        query: FRAME_COUNTS,
        variables: { isStaff, withNotices, withQuestions: withNotices, isReviewer },
        fetchPolicy: 'network-only',
      })
      // A failure is repaired by the next change.
      .catch(() => undefined)
  }, [client, isStaff, withNotices, isReviewer])
  return (
    <>
      <LiveNotificationCount />
      {withNotices && <OwnNotices changes={ownChanges} onCount={onNotices} />}
      {isStaff && <RequestCounts onCount={onRequests} />}
      {isReviewer && <LiveQueueCounts onInReview={onInReview} />}
    </>
  )
}
