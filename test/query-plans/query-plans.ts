import { parse } from 'graphql'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { createSystemContext } from '../../server/context.ts'
import { startHousekeeping } from '../../server/housekeeping.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { isPreparable } from '../../server/platform/database/prepared-statements.ts'
import type { DB } from '../../server/platform/database/types.generated.ts'
import type { TestClient } from '../client.ts'
import { connectAs, type TestConnection } from '../databases.ts'
import { type OpenDatabases, openServer } from '../open-server.ts'
import { listPlanCases, type PlanCase } from './query-plan-cases.ts'
import { type FaultKind, findPlanFaults, type PlanFault, type PlanNode } from './query-plan-faults.ts'

/** A query with a statement whose cost grows with the tables. */
export type BadPlan = { case: PlanCase; statement: string; fault: PlanFault }

/** Tables with more rows than this must not be scanned. */
const LARGE = 1_000

const AMONG_REFERRED =
  'a name among the patients of an institution: reads the smaller set of patients with the name and referred patients'

/** Queries whose cost is known to grow, with the reason why that is accepted. */
const MAY_GROW: readonly {
  field: string
  as?: RegExp
  /** Only cases with this variable. */
  variable?: string
  kinds: readonly FaultKind[]
  why: string
}[] = [
  { field: 'dashboard', kinds: ['sort', 'reads'], why: 'counts a month, by an index of its own' },
  { field: 'turnaround', kinds: ['sort', 'reads'], why: 'measures a period of at most 90 days, by an index' },
  { field: 'workOfPeople', kinds: ['sort', 'reads'], why: 'counts a period of at most 90 days, by an index' },
  {
    field: 'unopenedInstitutions',
    kinds: ['reads'],
    why: 'counts at most a thousand of each institution, from an index alone',
  },
  { field: 'categoryUploads', kinds: ['reads'], why: 'counts all, from an index alone' },
  { field: 'system', kinds: ['scan', 'reads'], why: 'counts all files, for an administrator' },
  ...['patients', 'search'].map((field) => ({
    field,
    as: /^(institutia|cea-mai|mai-multe)/,
    kinds: ['reads'] as const,
    why: AMONG_REFERRED,
  })),
  { field: 'patients', variable: 'institutionId', kinds: ['reads'], why: AMONG_REFERRED },
]

/**
 * Sends every case of `listPlanCases` to a server on this generated database, has PostgreSQL plan each statement that ran,
 * and returns the faults of the plans; empty where no plan gets slower as the tables grow. Adds accounts,
 * sessions and audit
 * entries to the database.
 */
export async function findBadPlans(connection: TestConnection): Promise<BadPlan[]> {
  const requested: RequestedQuery[] = []
  const server = await openServer(connection, {}, (to) => openLogged(to, (query) => requested.push(query)))
  try {
    const checkPlan = openPlanChecks(await listLargeTables(server.db))
    const bad: BadPlan[] = []
    const clients = new Map<string, TestClient>()
    for (const each of await listPlanCases(server.db)) {
      const client = clients.get(each.as) ?? (await server.signIn(each.as))
      clients.set(each.as, client)
      if (each.cookie) client.cookies.set(...each.cookie)
      requested.length = 0
      const { errors } = await client.graphql(each.query, each.variables)
      if (errors[0]) throw new Error(`${describeCase(each)}: ${errors[0].message}`)
      for (const query of requested.filter(({ text }) => IS_PLANNED.test(text))) {
        const faults = await checkPlan(query)
        for (const fault of faults.filter(({ kind }) => !mayGrow(each, kind)))
          bad.push({ case: each, statement: query.text, fault })
      }
    }
    return bad
  } finally {
    await server.stop()
  }
}

/** Returns the plan faults of the statements that a server with a mail server runs as housekeeping after its start. */
export async function findBadHousekeepingPlans(connection: TestConnection): Promise<PlanFault[]> {
  const requested: RequestedQuery[] = []
  const server = await openServer(connection, { smtpUrl: 'smtp://127.0.0.1:1' }, (to) =>
    openLogged(to, (query) => requested.push(query)),
  )
  try {
    const checkPlan = openPlanChecks(await listLargeTables(server.db))
    requested.length = 0
    const housekeeping = startHousekeeping(() => createSystemContext(server.services))
    await housekeeping.done
    const planned = requested.filter(({ text }) => IS_PLANNED.test(text))
    const faults = await Promise.all(planned.map((query) => checkPlan(query)))
    return faults.flat()
  } finally {
    await server.stop()
  }
}

export const describeCase = ({ as, query, variables }: PlanCase): string =>
  `${as} ${readRootFields(query).join(', ')} ${JSON.stringify(variables ?? {})}`

const IS_PLANNED = /^\s*(select|with|insert|update|delete)\b/i

const readRootFields = (query: string): string[] =>
  parse(query).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.flatMap((each) => (each.kind === 'Field' ? each.name.value : []))
      : [],
  )

const mayGrow = ({ as, query, variables = {} }: PlanCase, kind: FaultKind): boolean =>
  MAY_GROW.some(
    (each) =>
      readRootFields(query).includes(each.field) &&
      (each.as?.test(as) ?? true) &&
      (each.variable === undefined || each.variable in variables) &&
      each.kinds.includes(kind),
  )

/** Returns the tables that are too large to be scanned, by PostgreSQL's last count. */
export async function listLargeTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and reltuples > ${LARGE}::int`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** A statement and the database that it was sent to, by its role. */
type RequestedQuery = { text: string; parameters: readonly unknown[]; db: Db }

/** Opens databases like the product's, and calls `onQuery` with each statement. A guest has connections of its own. */
function openLogged(connection: TestConnection, onQuery: (query: RequestedQuery) => void): OpenDatabases {
  const open = (config: pg.PoolConfig): Db => {
    const pool = new pg.Pool({ max: 2, idleTimeoutMillis: 1_000, ...config })
    const db: Db = new Kysely<DB>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => onQuery({ text: query.sql, parameters: query.parameters, db }),
    })
    return db
  }
  const guests = new Map<string, Db>()
  const recipients = new Map<string, Db>()
  return {
    staff: open(connectAs(connection, 'staff')),
    guests: {
      forInstitutions: (ids, userId = '') => {
        const options = `-c dosar.institutions={${ids.join(',')}} -c dosar.user=${userId}`
        const guest = guests.get(options) ?? open({ ...connectAs(connection, 'guest'), options })
        guests.set(options, guest)
        return guest
      },
      destroy: async () => void (await Promise.all([...guests.values()].map((guest) => guest.destroy()))),
    },
    recipients: {
      forSession: (id) => {
        const options = `-c dosar.share_session=${id}`
        const recipient = recipients.get(id) ?? open({ ...connectAs(connection, 'recipient'), options })
        recipients.set(id, recipient)
        return recipient
      },
      destroy: async () => void (await Promise.all([...recipients.values()].map((db) => db.destroy()))),
    },
  }
}

/**
 * Returns a function that returns the faults of the plan for the values of a statement and, for a statement that may be
 * prepared, of its generic plan. A generic plan guesses the size of a page: only its full scans count. It depends on the
 * statement and its role alone, so each is planned once.
 */
function openPlanChecks(large: ReadonlySet<string>): (query: RequestedQuery) => Promise<PlanFault[]> {
  const scans = new Map<Db, Map<string, Promise<PlanFault[]>>>()
  const explain = async (options: string, { text, db }: RequestedQuery, values: readonly unknown[]) => {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      CompiledQuery.raw(`explain (${options}format json) ${text}`, [...values]),
    )
    return findPlanFaults(rows[0]!['QUERY PLAN'][0].Plan, (table) => large.has(table))
  }
  const findScans = async (query: RequestedQuery) => {
    const faults = await explain('generic_plan, ', query, [])
    return faults.filter(({ kind }) => kind === 'scan')
  }
  return async (query) => {
    const faults = await explain('', query, query.parameters)
    if (!isPreparable(query.text)) return faults
    const known = scans.get(query.db) ?? new Map<string, Promise<PlanFault[]>>()
    scans.set(query.db, known)
    const generic = known.get(query.text) ?? findScans(query)
    known.set(query.text, generic)
    return [...faults, ...(await generic)]
  }
}

/** Uploads whose files state facts. */
const STATING = 2_000

/**
 * Adds `count` audit entries, messages and sessions, facts and readings of files, which the product writes when it is used and a
 * generated database lacks.
 */
export async function addTraces(db: Db, count: number): Promise<void> {
  await sql`
    insert into audit_event (at, actor_id, actor_name, role, origin, action, subject_type, subject_id, patient_id, outcome, request_id)
    select now() - interval '1 second' * (${count}::int - n), actor.id, actor.name, actor.role, 'web',
      case when n % 10 < 4 then 'patient.list' when n % 10 < 6 then 'patient.read' when n % 10 < 9 then 'upload.read'
        else 'upload.list' end,
      'upload', upload.id, upload.patient_id, case when n % 200 = 0 then 'denied' else 'ok' end, 'generated'
    from generate_series(1, ${count}::int) n
      join upload on upload.number = 100000 + n
      join lateral (select * from app_user order by email offset n % 6 limit 1) actor on true`.execute(db)
  await sql`
    insert into message (id, recipient, kind, subject, state, created_at, sent_at)
    select id, 'cineva@exemplu.test', 'invitation', 'Invitație', case when number % 100 = 0 then 'failed' else 'sent' end,
      created_at, created_at from upload where number <= 100000 + ${count}::int`.execute(db)
  await sql`
    insert into session (id, token_hash, user_id, created_at, expires_at)
    select upload.id, sha256(int8send(number)), app_user.id, upload.created_at, upload.created_at + interval '7 days'
    from upload join app_user on app_user.id = created_by where number <= 100000 + ${count}::int`.execute(db)
  // Names and CNPs are generated.
  await sql`
    insert into file_fact (file_id, position, kind, value, place)
    select file.id, 100 + fact.position, fact.kind, fact.value, '{"in": "text", "page": 1}'
    from upload join file on file.upload_id = upload.id join patient on patient.id = upload.patient_id
      cross join lateral (values (1, 'birth-date', birth_date::text), (2, 'accession', accession_number),
        (3, 'instance', '1.2.' || upload.number), (4, 'institution', 'Clinica')) as fact (position, kind, value)
    where upload.number <= 100000 + ${STATING}::int and fact.value is not null`.execute(db)
  // What users of institutions have sent.
  await sql`update institution set may_upload = true`.execute(db)
  await sql`
    update upload set source = 'institution', sender_institution_id = institution_id, created_by = coalesce((
      select user_id from user_institution sender where sender.institution_id = upload.institution_id order by 1 limit 1), created_by)
    where number % 100 = 0 and institution_id is not null and batch_id is null and state <> 'receiving'`.execute(
    db,
  )
  await addDrafts(db)
  await sql`vacuum (analyze) audit_event, audit_unsealed, message, session, file_fact, file_reading`.execute(
    db,
  )
}

/** Adds drafts of some patients, each with a file that was read. */
async function addDrafts(db: Db): Promise<void> {
  await sql`
    with draft as (
      insert into upload (id, patient_id, title, source, state, created_by)
      select gen_random_uuid(), patient_id, title, source, 'receiving', created_by from upload
      where number <= 100000 + ${STATING}::int and patient_id is not null returning id, patient_id),
    added as (
      insert into file (id, upload_id, position, name, type, kind, size, sha256, storage_key)
      select gen_random_uuid(), id, 1, 'rezultat.pdf', 'application/pdf', 'pdf', 1, sha256(uuid_send(id)), id::text from draft
      returning id, upload_id),
    stated as (
      insert into file_fact (file_id, position, kind, value, place)
      select added.id, fact.position, fact.kind, fact.value, '{"in": "text", "page": 1}'
      from added join draft on draft.id = added.upload_id join patient on patient.id = draft.patient_id
        cross join lateral (values (1, 'cnp', cnp), (2, 'name', surname || ' ' || given_names),
          (3, 'birth-date', birth_date::text), (4, 'instance', '1.2.' || patient.number)) as fact (position, kind, value)
      where fact.value is not null)
    insert into file_reading (file_id, reader, may_confirm, inspection)
    select id, 1, true, '{"accepted": true, "kind": "pdf", "facts": {}, "stated": []}' from added`.execute(db)
}

/**
 * Makes PostgreSQL take all rows as visible to all transactions, as it does in a database at rest, and stops autovacuum
 * from counting again. A vacuum counts fewer visible pages while any other transaction runs, and then PostgreSQL reads
 * the table where it would otherwise read an index alone.
 */
export async function fixVisibility(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    db,
  )
  for (const { name } of rows)
    await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(db)
  await sql`
    update pg_class set relallvisible = relpages
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
}
