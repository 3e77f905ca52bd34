import { graphql, type ResultOf } from '../../api/graphql.ts'

export const MESSAGES = graphql(`
  query Messages($undelivered: Boolean, $after: String) {
    messages(undelivered: $undelivered, after: $after) {
      endCursor
      nodes {
        id
        recipient
        kind
        userId
        subject
        state
        lastError
        canRepeat
        createdAt
        body
      }
    }
  }
`)

export type MessageRow = ResultOf<typeof MESSAGES>['messages']['nodes'][number]

export const SEND_TEST_MESSAGE = graphql(`
  mutation SendTestMessage {
    sendTestMessage {
      recipient
      body
    }
  }
`)

/** Sends a new mail of the same kind, with a new link, to the current address of the account. */
export const SEND_AGAIN = {
  invitation: graphql(`
    mutation SendInvitationAgain($userId: ID!) {
      resendInvitation(userId: $userId) {
        user {
          id
        }
      }
    }
  `),
  reset: graphql(`
    mutation SendResetAgain($userId: ID!) {
      sendPasswordReset(userId: $userId) {
        id
      }
    }
  `),
} as const

/** Sends a failed mail without a one-time link again, as a new one. */
export const RETRY_MESSAGE = graphql(`
  mutation RetryMessage($id: ID!) {
    retryMessage(id: $id)
  }
`)

export const MAIL_PREVIEWS = graphql(`
  query MailPreviews {
    mailPreviews {
      kind
      name
      subject
      text
    }
  }
`)
