import { graphql, type ResultOf } from '../../api/graphql.ts'

/** Sent with the public key, since the recipient has no account; what was proved is in a cookie. */
export const SHARE_PAGE = graphql(`
  query SharePage($token: String!) {
    sharePage(token: $token) {
      state
      closedReason
      lockedUntil
      proof
      emailMasked
      expiresAt
      fileIds
    }
  }
`)
export type SharePage = ResultOf<typeof SHARE_PAGE>['sharePage']

export const PROVE_SHARE = graphql(`
  mutation ProveShare($token: String!, $proof: String!) {
    proveShare(token: $token, proof: $proof) {
      outcome
      triesLeft
    }
  }
`)

export const SEND_SHARE_CODE = graphql(`
  mutation SendShareCode($token: String!) {
    sendShareCode(token: $token)
  }
`)

export const LEAVE_SHARE = graphql(`
  mutation LeaveShare($token: String!) {
    leaveShare(token: $token)
  }
`)

export const SHARED_RESULTS = graphql(`
  query SharedResults($token: String!) {
    sharedResults(token: $token) {
      recipientName
      uploads {
        id
        title
        categoryName
        examinedOn
        files {
          id
          name
          kind
          type
          size
          pageCount
          hasPreview
        }
      }
      news {
        kind
        text
        writtenAt
      }
      events {
        id
        kind
        at
        fileName
        isHere
      }
    }
  }
`)
export type SharedResults = NonNullable<ResultOf<typeof SHARED_RESULTS>['sharedResults']>
export type SharedUpload = SharedResults['uploads'][number]
export type SharedFile = SharedUpload['files'][number]
