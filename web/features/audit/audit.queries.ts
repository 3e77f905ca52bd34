import { graphql, type ResultOf } from '../../api/graphql.ts'

const AuditDetails = graphql(`
  fragment AuditFacts on AuditEvent {
    id
    at
    actorId
    actorName
    role
    action
    subjectType
    subjectId
    patientId
    patientName
    shownCount
    outcome
    changes
    ip
  }
`)

export const AUDIT_EVENTS = graphql(
  `
    query AuditEvents(
      $from: Date
      $to: Date
      $actorId: ID
      $action: String
      $patientId: ID
      $outcome: AuditOutcome
      $withoutReads: Boolean
      $after: String
    ) {
      auditEvents(
        from: $from
        to: $to
        actorId: $actorId
        action: $action
        patientId: $patientId
        outcome: $outcome
        withoutReads: $withoutReads
        after: $after
      ) {
        endCursor
        nodes {
          ...AuditFacts
        }
      }
    }
  `,
  [AuditDetails],
)
export type AuditEvent = ResultOf<typeof AUDIT_EVENTS>['auditEvents']['nodes'][number]

/** The entries about opening, downloading or changing data of a patient. */
export const PATIENT_ACCESS = graphql(
  `
    query PatientAccess($patientId: ID!, $after: String) {
      patientAccess(patientId: $patientId, after: $after) {
        endCursor
        nodes {
          ...AuditFacts
        }
      }
    }
  `,
  [AuditDetails],
)

export const AUDIT_PEOPLE = graphql(`
  query AuditPeople($search: String, $id: ID) {
    auditPeople(search: $search, id: $id) {
      id
      name
      email
    }
  }
`)

export const LAST_VERIFICATION = graphql(`
  query LastAuditVerification {
    lastAuditVerification {
      id
      finishedAt
      checked
      askedBy
      faults {
        kind
        entryId
        position
        count
      }
    }
  }
`)
export type Verification = NonNullable<ResultOf<typeof LAST_VERIFICATION>['lastAuditVerification']>

export const VERIFY_AUDIT = graphql(`
  mutation VerifyAudit {
    verifyAudit
  }
`)
