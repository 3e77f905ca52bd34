import { graphql, type ResultOf } from '../../api/graphql.ts'

export const MESSAGES = graphql(`
  query Messages($after: String) {
    messages(after: $after) {
      endCursor
      nodes {
        id
        recipient
        subject
        state
        lastError
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
