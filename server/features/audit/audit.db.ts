import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { LIST_READS } from '../../../shared/audit/audit-actions.ts'
import type { Outcome } from '../../../shared/audit/outcomes.ts'
import { countRows } from '../../platform/database/count-rows.ts'
import type { Db } from '../../platform/database/database.ts'
import { startOfDay } from '../../platform/database/days.sql.ts'
import { type Placeholders, staticQuery } from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'

const AUDIT_COLUMNS = [
  'actor_id',
  'actor_name',
  'role',
  'origin',
  'action',
  'subject_type',
  'subject_id',
  'subject_ids',
  'patient_id',
  'outcome',
  'changes',
  'ip',
  'user_agent',
  'request_id',
] as const

/** A new entry; `id` and `at` are set by the database. */
export type AuditEventRow = Omit<
  Required<Insertable<DB['audit_event']>>,
  'id' | 'at' | 'subject_ids' | 'changes'
> & {
  subject_ids: readonly string[] | null
  changes: object | null
}

/** Returns the statement that inserts entries given as a JSON list; a condition can follow it. */
export const addAuditRows = (rows: RawBuilder<string>) => {
  const columns = sql.join(AUDIT_COLUMNS.map((name) => sql.ref(name)))
  return sql<never>`insert into audit_event (${columns})
    select ${columns} from json_populate_recordset(null::audit_event, ${rows})`
}

const insertRows = staticQuery((db, slot: Placeholders<{ rows: string }>) => ({
  compile: () => addAuditRows(slot('rows')).compile(db),
}))

/** Inserts entries in this order, with one statement whose text does not depend on their number. */
export const insertAuditEvents = async (db: Db, rows: readonly AuditEventRow[]): Promise<void> => {
  await insertRows(db, { rows: JSON.stringify(rows) })
}

/** Filters of the audit log; null: not filtered. Days are yyyy-MM-dd in Romania, both included. */
export type AuditFilter = {
  from: string | null
  to: string | null
  actorId: string | null
  action: string | null
  patientId: string | null
  outcome: Outcome | null
  /** Leaves out entries that only record the reading of a list; null: nothing is left out. */
  withoutReads: true | null
}

/**
 * Selects the entries that match the filter, unordered. Each filter alone has its own index, ordered by time.
 */
const filtered = (db: Db, { from, to, actorId, action, patientId, outcome, withoutReads }: AuditFilter) =>
  db
    .selectFrom('audit_event')
    .$if(actorId !== null, (query) => query.where('actor_id', '=', actorId))
    .$if(patientId !== null, (query) => query.where('audit_event.patient_id', '=', patientId))
    .$if(action !== null, (query) => query.where('action', '=', action!))
    .$if(outcome !== null, (query) => query.where('outcome', '=', outcome!))
    .$if(withoutReads !== null, (query) => query.where('action', 'not in', LIST_READS))
    .$if(from !== null, (query) => query.where('at', '>=', startOfDay(from!)))
    .$if(to !== null, (query) => query.where('at', '<', startOfDay(to!, 1)))

/** Selects entries of the audit log, newest first, with the patient's name. */
export const selectAuditEvents = (db: Db, filter: AuditFilter, page: PageRequest) =>
  keyset(
    filtered(db, filter)
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
      ]),
    { by: { 'audit_event.at': 'timestamptz', 'audit_event.id': 'bigint' }, direction: 'desc' },
    page,
  ).execute()

export type AuditRow = Awaited<ReturnType<typeof selectAuditEvents>>[number]

/** Counts the entries that match the filter, up to `most`. */
export const countAuditEvents = (db: Db, filter: AuditFilter, most: number): Promise<number> =>
  countRows(db, filtered(db, filter).select('audit_event.id').limit(most))

type Days = { from: string; to: string }

/** Selects the entries of these actions that succeeded on these days in Romania. */
const ofActions = (db: Db, actions: readonly AuditAction[], { from, to }: Days) =>
  db
    .selectFrom('audit_event')
    .where('action', 'in', actions)
    .where('outcome', '=', 'ok')
    .where('at', '>=', startOfDay(from))
    .where('at', '<', startOfDay(to, 1))

/** Counts the entries of each action. */
export const selectActionCounts = (db: Db, actions: readonly AuditAction[], days: Days) =>
  ofActions(db, actions, days)
    .select((eb) => ['action', eb.fn.countAll<number>().as('count')])
    .groupBy('action')
    .execute()

/** Counts the entries of each action by account, ordered by name. */
export const selectActionCountsByPerson = (db: Db, actions: readonly AuditAction[], days: Days) =>
  ofActions(db, actions, days)
    .innerJoin('app_user', 'app_user.id', 'audit_event.actor_id')
    .select((eb) => ['app_user.id', 'app_user.name', 'action', eb.fn.countAll<number>().as('count')])
    .groupBy(['app_user.id', 'app_user.name', 'action'])
    .orderBy('app_user.name')
    .orderBy('app_user.id')
    .execute()

/** Selects every account, ordered by name. */
export const selectPeople = (db: Db) =>
  db.selectFrom('app_user').select(['id', 'name', 'email']).orderBy('name').orderBy('id').execute()

export type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number]
