import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { createSystemContext } from '../server/context.ts'
import { appendToChain } from '../server/features/audit/append-to-chain.ts'
import { verifyChain } from '../server/features/audit/verify-chain.ts'
import { openDatabase } from '../server/platform/database/database.ts'
import { migrateDatabase } from '../server/platform/database/migrate.ts'
import { connectRoles } from '../server/platform/database/roles.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { ROLE_PASSWORDS } from '../test/databases.ts'
import { openServer } from '../test/open-server.ts'
import { figure, median } from './report.ts'
import type { Table } from './table.ts'

/** Entries in one insert statement. */
const AT_ONCE = 50_000
/** Rows that the floor reads at once. */
const PAGE = 2_000

/**
 * Fills a new database in `folder` with this number of audit entries, appends them to the chain, and measures the product's
 * verification and the floor in rotation. The floor reads these rows in order and hashes each with the previous hash.
 */
export async function measureAuditLog(folder: string, entries: number, rounds: number): Promise<Table> {
  const stack = new AsyncDisposableStack()
  try {
    const log = createLog('warn', (line) => process.stderr.write(line))
    const { connection, stop } = await startEmbeddedPostgres({ dataDir: folder, log })
    stack.defer(stop)
    await migrateDatabase(connection, log)
    await connectRoles(connection, ROLE_PASSWORDS, log)
    const server = await openServer(connection)
    stack.defer(server.stop)
    await writeEntries(connection, entries)
    const ctx = createSystemContext(server.services)
    const appending = await timed(() => appendToChain(ctx))
    await sql`vacuum (analyze) audit_event, audit_unsealed, audit_seal`.execute(server.db)

    const times = []
    for (let round = 0; round < rounds; round += 1) {
      const floor = await timed(() => hashRows(connection))
      const product = await timed(() => verifyChain(ctx, null))
      times.push({ floor, product })
    }
    const found = await server.db.selectFrom('audit_verification').select(['checked', 'faults']).execute()
    if (
      found.length !== rounds ||
      found.some(({ checked, faults }) => checked < entries || `${faults}` !== '')
    )
      throw new Error('the audit log is incomplete')
    const floor = median(times.map((time) => time.floor))
    const product = median(times.map((time) => time.product))
    const ratio = median(times.map((time) => time.product / time.floor))
    return {
      title: `The chain of the audit log, ${entries} entries`,
      columns: ['what', 'seconds', '×'],
      rows: [
        ['read and hashed in plain code', figure(floor), '1'],
        ['verified by the product', figure(product), figure(ratio)],
        ['appended by the product, once', figure(appending), ''],
      ],
      notes: [],
    }
  } finally {
    await stack.disposeAsync()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

/** Inserts entries as the product writes them: four in ten for a page of a list, the others for one patient. */
async function writeEntries(connection: pg.ClientConfig, entries: number): Promise<void> {
  const db = openDatabase({ ...connection, max: 1, statement_timeout: 600_000 }, () => undefined)
  for (let from = 1; from <= entries; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE - 1, entries)
    await sql`
      insert into audit_event (at, actor_id, actor_name, role, origin, action, subject_type, subject_id, subject_ids, patient_id,
        outcome, changes, ip, user_agent, request_id)
      select now() - interval '1 second' * (${entries}::int - n), gen_random_uuid(), 'Ilinca Țurcanu', 'staff', 'web',
        case when n % 10 < 4 then 'patient.list' else 'patient.update' end, 'patient',
        case when n % 10 >= 4 then gen_random_uuid() end,
        case when n % 10 < 4 then array(select gen_random_uuid() from generate_series(1, 50) where n > 0) end,
        case when n % 10 >= 4 then gen_random_uuid() end, 'ok',
        case when n % 10 >= 8 then '{"phone": {"from": "+40722123456", "to": "+40722654321"}}'::jsonb end,
        '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
        gen_random_uuid()::text
      from generate_series(${from}::int, ${to}::int) n`.execute(db)
  }
  await db.destroy()
}

/**
 * The floor: reads the rows as PostgreSQL prints them, in the order of the chain, and hashes each with the
 * previous hash.
 */
async function hashRows(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const key = createSecretKey(randomBytes(32))
  let hash: Buffer = Buffer.alloc(32)
  let last = 0
  for (;;) {
    const { rows } = await client.query<[string, string]>({
      name: 'page',
      rowMode: 'array',
      text: `select position::text, audit_event::text from audit_seal join audit_event on id = event_id
        where audit_seal.position > $1 order by audit_seal.position limit ${PAGE}`,
      values: [last],
    })
    for (const [, entry] of rows) hash = createHmac('sha256', key).update(hash).update(entry).digest()
    if (rows.length < PAGE) break
    last = Number(rows.at(-1)![0])
  }
  await client.end()
}
