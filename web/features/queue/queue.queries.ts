import { graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts'
import { RowReason } from '../../lists/search-reasons.queries.ts'

/** The fields of an upload in a list. */
const UploadLine = graphql(`
  fragment UploadLine on Upload {
    id
    number
    title
    state
    stateSince
    fileCount
    authorName
    sentBy
    isOwn
    releaseAt
    isDisagreeing
    policy {
      reviewers
    }
    firstAcceptance {
      reviewerName
      isOwn
    }
    can {
      decide
      accept
    }
    category {
      slug
      name
      icon
      color
    }
    patient {
      id
      number
      name
      cnpMasked
      birthDate
    }
    institution {
      id
      name
    }
  }
`)
export type UploadLine = ResultOf<typeof UploadLine>

export const QUEUE = graphql(
  `
    query ReviewQueue(
      $states: [UploadState!]
      $category: String
      $institutionId: ID
      $mine: Boolean
      $since: Date
      $until: Date
      $unopened: Boolean
      $sender: UploadSender
      $late: TurnaroundStep
      $search: String
      $first: Int
      $after: String
    ) {
      uploads(
        states: $states
        category: $category
        institutionId: $institutionId
        mine: $mine
        since: $since
        until: $until
        unopened: $unopened
        sender: $sender
        late: $late
        search: $search
        first: $first
        after: $after
      ) {
        endCursor
        reasons {
          ...RowReason
        }
        nodes {
          ...UploadLine
        }
      }
    }
  `,
  [RowReason, UploadLine],
)
export type QueueFilter = Omit<VariablesOf<typeof QUEUE>, 'first' | 'after'>

/** The user's own uploads with the reasons of their return: the verdicts and the errors of files. */
export const RETURNED_UPLOADS = graphql(
  `
    query ReturnedUploads($states: [UploadState!]!, $after: String) {
      myUploads(states: $states, after: $after) {
        endCursor
        nodes {
          ...UploadLine
          reviews {
            id
            verdict
            reasonCode
            comment
            reviewerName
            createdAt
            undoneAt
          }
          files {
            id
            name
            facts
            scanResult
          }
        }
      }
    }
  `,
  [UploadLine],
)
export type ReturnedUpload = ResultOf<typeof RETURNED_UPLOADS>['myUploads']['nodes'][number]

export const OPEN_UPLOADS = graphql(
  `
    query OpenUploads($states: [UploadState!]!, $after: String) {
      myUploads(states: $states, after: $after) {
        endCursor
        nodes {
          ...UploadLine
        }
      }
    }
  `,
  [UploadLine],
)

/** The user's own uploads after their verdict, with the first opening by the institution. */
export const FINISHED_UPLOADS = graphql(
  `
    query FinishedUploads($states: [UploadState!]!, $first: Int, $after: String) {
      myUploads(states: $states, first: $first, after: $after) {
        endCursor
        nodes {
          ...UploadLine
          firstOpenedAt
        }
      }
    }
  `,
  [UploadLine],
)
export type FinishedUpload = ResultOf<typeof FINISHED_UPLOADS>['myUploads']['nodes'][number]

export const INSTITUTION_CHOICES = graphql(`
  query InstitutionChoices($search: String, $after: String) {
    institutions(search: $search, after: $after, first: 20) {
      endCursor
      nodes {
        id
        name
        shortName
        locality
      }
    }
  }
`)

export const CHOSEN_INSTITUTION = graphql(`
  query ChosenInstitution($id: ID!) {
    institution(id: $id) {
      id
      name
      shortName
      locality
    }
  }
`)
