import { graphql, type ResultOf } from '../../api/graphql.ts'

const ShareRow = graphql(`
  fragment ShareRow on Share {
    id
    patientId
    patientName
    createdAt
    createdByName
    recipientKind
    recipientName
    channel
    email
    mailState
    proof
    expiresAt
    maxOpenings
    openings
    reason
    state
    endedAt
    endedByName
    endedWhy
    endedNote
    lockedUntil
    uploads {
      id
      number
      title
    }
  }
`)
export type ShareRow = ResultOf<typeof ShareRow>

export const SHARES = graphql(
  `
    query Shares($patientId: ID, $state: ShareFilter!, $mine: Boolean, $after: String) {
      shares(patientId: $patientId, state: $state, mine: $mine, after: $after) {
        endCursor
        nodes {
          ...ShareRow
        }
      }
    }
  `,
  [ShareRow],
)

export const SHARE_HISTORY = graphql(`
  query ShareHistory($id: ID!) {
    share(id: $id) {
      id
      recipientName
      events {
        id
        kind
        at
        fileName
      }
    }
  }
`)

export const CREATE_SHARE = graphql(`
  mutation CreateShare($input: ShareInput!) {
    createShare(input: $input) {
      share {
        id
        channel
        recipientName
        email
      }
      link
      pin
      code
      slip
    }
  }
`)
export type CreatedShare = ResultOf<typeof CREATE_SHARE>['createShare']

export const END_SHARES = graphql(
  `
    mutation EndShares($ids: [ID!]!, $reason: String!) {
      endShares(ids: $ids, reason: $reason) {
        ...ShareRow
      }
    }
  `,
  [ShareRow],
)
