import { sql } from 'kysely'
import type { PageRequest } from '../../graphql/connections.ts'
import type { Db } from '../../platform/database.ts'

export type AuditFilter = { actorId: string | null; action: string | null; patientId: string | null }

/** The journal, newest first, with the names that its sentences need. */
export const selectAuditEvents = (db: Db, filter: AuditFilter, { limit, after }: PageRequest) =>
  db
    .selectFrom('audit_event')
    .leftJoin('patient', 'patient.id', 'audit_event.patient_id')
    .select([
      'audit_event.id',
      'audit_event.at',
      'audit_event.actor_id',
      'audit_event.actor_name',
      'audit_event.role',
      'audit_event.action',
      'audit_event.subject_type',
      'audit_event.subject_id',
      'audit_event.patient_id',
      'audit_event.outcome',
      'audit_event.changes',
      'audit_event.ip',
      sql<string | null>`patient.surname || ' ' || patient.given_names`.as('patient_name'),
      sql<number>`coalesce(cardinality(audit_event.subject_ids), 0)`.as('shown_count'),
    ])
    .$if(filter.actorId !== null, (query) => query.where('audit_event.actor_id', '=', filter.actorId))
    .$if(filter.patientId !== null, (query) => query.where('audit_event.patient_id', '=', filter.patientId))
    .$if(filter.action !== null, (query) => query.where('audit_event.action', '=', filter.action ?? ''))
    .$if(after !== null, (query) => query.where('audit_event.id', '<', Number(after?.[0])))
    .orderBy('audit_event.id', 'desc')
    .limit(limit + 1)
    .execute()

export type AuditRow = Awaited<ReturnType<typeof selectAuditEvents>>[number]
