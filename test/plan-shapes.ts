import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { DB } from '../db/types.generated.ts'
import type { Db } from '../server/platform/database.ts'
import type { TestConnection } from './databases.ts'
import { openServer, type TestClient } from './open-server.ts'
import { listPlanCases, type PlanCase } from './plan-cases.ts'

/** One node of what EXPLAIN (FORMAT JSON) answers. */
type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Parent Relationship'?: string
  'Plan Rows': number
  'Total Cost': number
  'Startup Cost': number
  Plans?: PlanNode[]
}

export type Statement = { ms: number; case: PlanCase; text: string; plan: PlanNode }

/** Asks every case at the front door of a server on this database, and has PostgreSQL plan each statement that ran. */
export async function readPlans(connection: TestConnection): Promise<Statement[]> {
  const asked: CompiledQuery[] = []
  let isAsking = false
  const server = await openServer(connection, {}, (to) =>
    openLogged(to, (query) => {
      if (isAsking) asked.push(query)
    }),
  )
  try {
    const statements: Statement[] = []
    const clients = new Map<string, TestClient>()
    for (const each of await listPlanCases(server.db)) {
      const client = clients.get(each.as) ?? (await server.signIn(each.as))
      clients.set(each.as, client)
      asked.length = 0
      isAsking = true
      const start = performance.now()
      const { errors } = await client.graphql(each.query, each.variables)
      isAsking = false
      const ms = performance.now() - start
      if (errors.length > 0)
        throw new Error(`${each.as} ${each.query} ${JSON.stringify(each.variables)}: ${errors[0]!.message}`)
      for (const query of asked.filter(({ sql }) => /^\s*(select|with|insert|update|delete)\b/i.test(sql)))
        statements.push({ ms, case: each, text: query.sql, plan: await explain(server.db, query) })
    }
    return statements
  } finally {
    await server.stop()
  }
}

/** As the product's own, telling of each statement. */
function openLogged(connection: TestConnection, onQuery: (query: CompiledQuery) => void): Db {
  const pool = new pg.Pool({ max: 2, ...connection })
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => onQuery(query) })
}

async function explain(db: Db, { sql: text, parameters }: CompiledQuery): Promise<PlanNode> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]),
  )
  return rows[0]!['QUERY PLAN'][0].Plan
}

/**
 * What the product itself writes as it is used, as much of it as of uploads: entries of the journal, letters, sessions.
 * Generated rows come without.
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
  await sql`vacuum (analyze) audit_event, audit_unsealed, message, session`.execute(db)
}
