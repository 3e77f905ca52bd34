import { graphql, type ResultOf } from '../../api/graphql.ts'

const AccessRequestFields = graphql(`
  fragment AccessRequestFields on AccessRequest {
    id
    institutionName
    authorName
    createdAt
    surname
    givenNames
    birthDate
    cnpMasked
    purpose
    doctor
    number
    state
    decidedAt
    patientId
    refusal
    refusalNote
  }
`)
export type AccessRequest = ResultOf<typeof AccessRequestFields>

export const ACCESS_REQUESTS = graphql(
  `
    query AccessRequests($decided: Boolean, $after: String) {
      accessRequests(decided: $decided, after: $after) {
        endCursor
        nodes {
          ...AccessRequestFields
        }
      }
    }
  `,
  [AccessRequestFields],
)

export const OWN_ACCESS_REQUESTS = graphql(
  `
    query OwnAccessRequests($after: String) {
      ownAccessRequests(after: $after) {
        endCursor
        nodes {
          ...AccessRequestFields
        }
      }
    }
  `,
  [AccessRequestFields],
)

export const ACCESS_REQUEST = graphql(
  `
    query AccessRequest($id: ID!) {
      accessRequest(id: $id) {
        cnp
        request {
          ...AccessRequestFields
        }
        candidates {
          id
          number
          name
          cnpMasked
          birthDate
          agrees
          disagrees
          isReferred
        }
      }
    }
  `,
  [AccessRequestFields],
)
export type Candidate = ResultOf<typeof ACCESS_REQUEST>['accessRequest']['candidates'][number]

/** Without the patients: reading these is recorded for each. */
export const ACCESS_REQUEST_STATE = graphql(`
  query AccessRequestState($id: ID!) {
    accessRequest(id: $id) {
      request {
        id
        state
      }
    }
  }
`)

export const REQUEST_INSTITUTIONS = graphql(`
  query RequestInstitutions {
    requestInstitutions {
      id
      name
    }
  }
`)

export const REQUEST_ACCESS = graphql(`
  mutation RequestAccess($request: AccessRequestInput!) {
    requestAccess(request: $request)
  }
`)

export const ACCEPT_ACCESS_REQUEST = graphql(
  `
    mutation AcceptAccessRequest($id: ID!, $patientId: ID!, $doctor: String, $number: String, $referredOn: String) {
      acceptAccessRequest(id: $id, patientId: $patientId, doctor: $doctor, number: $number, referredOn: $referredOn) {
        ...AccessRequestFields
      }
    }
  `,
  [AccessRequestFields],
)

export const REFUSE_ACCESS_REQUEST = graphql(
  `
    mutation RefuseAccessRequest($id: ID!, $refusal: AccessRefusal!, $note: String) {
      refuseAccessRequest(id: $id, refusal: $refusal, note: $note) {
        ...AccessRequestFields
      }
    }
  `,
  [AccessRequestFields],
)
