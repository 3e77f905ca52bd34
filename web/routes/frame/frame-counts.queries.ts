import { graphql } from '../../api/graphql.ts'

/** What `NotificationBell`, `OwnNotices`, `RequestCounts` and `LiveQueueCounts` show, for the cache from which they read it. */
export const FRAME_COUNTS = graphql(`
  query FrameCounts($isStaff: Boolean!, $withNotices: Boolean!, $withQuestions: Boolean!, $isReviewer: Boolean!) {
    notificationCount
    ownNotices @include(if: $withNotices) {
      uploadId
      number
      why
    }
    accessRequestCount @include(if: $isStaff)
    questionCount @include(if: $withQuestions)
    queueCounts @include(if: $isReviewer) {
      state
      count
    }
  }
`)
