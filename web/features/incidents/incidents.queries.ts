import { graphql, type ResultOf } from '../../api/graphql.ts'

const OpeningFields = graphql(`
  fragment OpeningFields on Opening {
    name
    institutionName
    acts {
      kind
      firstAt
      lastAt
    }
  }
`)
export type Opening = ResultOf<typeof OpeningFields>

/** Who opened an upload; the reading is recorded. */
export const OPENINGS = graphql(
  `
    query Openings($uploadId: ID!) {
      openings(uploadId: $uploadId) {
        ...OpeningFields
      }
    }
  `,
  [OpeningFields],
)

export const MOVE_RELEASED_UPLOAD = graphql(`
  mutation MoveReleasedUpload(
    $id: ID!
    $version: Int!
    $patientId: ID!
    $institutionId: ID
    $reason: String!
    $discoveredOn: String
    $despite: String
    $despiteComment: String
  ) {
    moveReleasedUpload(
      id: $id
      version: $version
      patientId: $patientId
      institutionId: $institutionId
      reason: $reason
      discoveredOn: $discoveredOn
      despite: $despite
      despiteComment: $despiteComment
    ) {
      id
      number
    }
  }
`)

const IncidentFields = graphql(
  `
    fragment IncidentFields on Incident {
      id
      number
      version
      uploadId
      uploadNumber
      isWrongInstitution
      formerPatient {
        id
        number
        name
      }
      patient {
        id
        number
        name
      }
      formerInstitutionName
      category
      fileCount
      releasedAt
      movedAt
      movedByName
      reason
      discoveredAt
      deadline
      authority
      authorityAt
      persons
      personsAt
      closedAt
      closedByName
      closedReason
      canManage
      openings {
        ...OpeningFields
      }
      requests {
        id
        institutionName
        mailed
        answeredAt
        answeredByName
      }
      notes {
        id
        text
        authorName
        createdAt
      }
    }
  `,
  [OpeningFields],
)
export type Incident = ResultOf<typeof IncidentFields>

export const INCIDENT = graphql(
  `
    query IncidentPage($id: ID!) {
      incident(id: $id) {
        ...IncidentFields
      }
    }
  `,
  [IncidentFields],
)

export const INCIDENTS = graphql(`
  query Incidents($open: Boolean, $after: String) {
    incidents(open: $open, after: $after) {
      endCursor
      nodes {
        id
        number
        uploadNumber
        discoveredAt
        movedAt
        authority
        closedAt
        requests {
          id
          answeredAt
        }
      }
    }
  }
`)
export type IncidentLine = ResultOf<typeof INCIDENTS>['incidents']['nodes'][number]

export const ADD_INCIDENT_NOTE = graphql(
  `
    mutation AddIncidentNote($id: ID!, $text: String!) {
      addIncidentNote(id: $id, text: $text) {
        ...IncidentFields
      }
    }
  `,
  [IncidentFields],
)

export const SAVE_INCIDENT_NOTICES = graphql(
  `
    mutation SaveIncidentNotices(
      $id: ID!
      $version: Int!
      $authority: String
      $authorityAt: DateTime
      $persons: String
      $personsAt: DateTime
    ) {
      saveIncidentNotices(
        id: $id
        version: $version
        authority: $authority
        authorityAt: $authorityAt
        persons: $persons
        personsAt: $personsAt
      ) {
        ...IncidentFields
      }
    }
  `,
  [IncidentFields],
)

export const CLOSE_INCIDENT = graphql(
  `
    mutation CloseIncident($id: ID!, $version: Int!, $reason: String!) {
      closeIncident(id: $id, version: $version, reason: $reason) {
        ...IncidentFields
      }
    }
  `,
  [IncidentFields],
)

export const REOPEN_INCIDENT = graphql(
  `
    mutation ReopenIncident($id: ID!, $version: Int!, $reason: String!) {
      reopenIncident(id: $id, version: $version, reason: $reason) {
        ...IncidentFields
      }
    }
  `,
  [IncidentFields],
)

export const RequestFields = graphql(
  `
  fragment RequestFields on DeletionRequest {
    id
    uploadNumber
    releasedAt
    institutionName
    createdAt
    openings {
      ...OpeningFields
    }
    answeredAt
    answeredByName
  }
`,
  [OpeningFields],
)
export type DeletionRequest = ResultOf<typeof RequestFields>

export const DELETION_REQUESTS = graphql(
  `
    query DeletionRequests {
      deletionRequests {
        ...RequestFields
      }
    }
  `,
  [RequestFields],
)

export const ANSWER_DELETION_REQUEST = graphql(
  `
    mutation AnswerDeletionRequest($id: ID!) {
      answerDeletionRequest(id: $id) {
        ...RequestFields
      }
    }
  `,
  [RequestFields],
)
