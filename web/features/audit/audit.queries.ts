import { graphql, type ResultOf } from '../../api/graphql.ts'

export const AUDIT_EVENTS = graphql(`
  query AuditEvents($action: String, $patientId: ID, $after: String) {
    auditEvents(action: $action, patientId: $patientId, after: $after) {
      endCursor
      nodes {
        id
        at
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
    }
  }
`)

export type AuditEvent = ResultOf<typeof AUDIT_EVENTS>['auditEvents']['nodes'][number]
