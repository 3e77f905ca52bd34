import { graphql, type ResultOf } from '../../api/graphql.ts'

export const NOTIFICATION_COUNT = graphql(`
  query NotificationCount {
    notificationCount
  }
`)

export const NOTIFICATIONS = graphql(`
  query Notifications {
    notifications {
      kind
      count
      newCount
      items {
        id
        at
        isNew
        uploadId
        number
        categorySlug
        institutionId
        institutionName
        patientId
        shareId
        recipientKind
        mailKind
        outcome
      }
    }
  }
`)
export type NotificationGroup = ResultOf<typeof NOTIFICATIONS>['notifications'][number]
export type Notification = NotificationGroup['items'][number]

export const MARK_NOTIFICATIONS_SEEN = graphql(`
  mutation MarkNotificationsSeen($seen: [SeenNotifications!]!) {
    markNotificationsSeen(seen: $seen)
  }
`)
