import { graphql, type ResultOf } from '../../api/graphql.ts'

export const DELIVERY_LEDGER = graphql(`
  query DeliveryLedger($uploadId: ID, $patientId: ID, $after: String) {
    deliveryLedger(uploadId: $uploadId, patientId: $patientId, after: $after) {
      endCursor
      nodes {
        id
        uploadId
        uploadNumber
        title
        state
        institutionName
        receivedAt
        checkedAt
        reviewedAt
        releasedAt
        recipientName
        mailState
        mailedAt
        mailError
        openedAt
        downloadedAt
      }
    }
  }
`)
export type DeliveryStep = ResultOf<typeof DELIVERY_LEDGER>['deliveryLedger']['nodes'][number]

export const UNOPENED_INSTITUTIONS = graphql(`
  query UnopenedInstitutions($days: Int, $olderThan: Int) {
    unopenedInstitutions(days: $days, olderThan: $olderThan) {
      institutionId
      institutionName
      phone
      contacts
      count
      oldestAt
      people
      resentAt
    }
  }
`)
export type UnopenedInstitution = ResultOf<typeof UNOPENED_INSTITUTIONS>['unopenedInstitutions'][number]

export const UNOPENED_RESULTS = graphql(`
  query UnopenedResults($institutionId: ID!, $days: Int, $olderThan: Int, $after: String) {
    institutionResults(
      institutionId: $institutionId
      days: $days
      olderThan: $olderThan
      opened: false
      after: $after
    ) {
      endCursor
      nodes {
        id
        number
        title
        releasedAt
        patient {
          id
          name
        }
      }
    }
  }
`)

export const RESEND_ANNOUNCEMENTS = graphql(`
  mutation ResendAnnouncements($institutionIds: [ID!]!, $days: Int, $olderThan: Int) {
    resendAnnouncements(institutionIds: $institutionIds, days: $days, olderThan: $olderThan) {
      people
      unreached
    }
  }
`)
