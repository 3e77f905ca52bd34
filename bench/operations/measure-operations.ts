import { sql } from 'kysely'
import { makeCategory, makePatient, makeUser } from '../../db/factories.ts'
import { migrateDatabase } from '../../server/platform/database/migrate.ts'
import { connectRoles } from '../../server/platform/database/roles.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import { ROLE_PASSWORDS } from '../../test/databases.ts'
import { openServer } from '../../test/open-server.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'

const PLAN = `mutation ($filter: OperationFilter!, $slug: String!) {
  planOperation(kind: category, selection: { filter: $filter }, parameters: { categorySlug: $slug }) { id } }`
const READ = 'query ($id: ID!) { operation(id: $id) { version state counts { outcome count } } }'
const QUEUE = '{ uploads(first: 50) { nodes { id } } }'

/**
 * Fills a new database in `folder` with this number of uploads, gives all of them another category by one operation and
 * undoes it. Every statement of the product ends after five seconds, so that a longer one fails the measurement.
 */
export async function measureOperations(folder: string, uploads: number): Promise<Table> {
  const stack = new AsyncDisposableStack()
  try {
    return await measureIn(stack, folder, uploads)
  } finally {
    await stack.disposeAsync()
  }
}

async function measureIn(stack: AsyncDisposableStack, folder: string, uploads: number): Promise<Table> {
  const log = createLog('warn', (line) => process.stderr.write(line))
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: folder, log })
  stack.defer(stop)
  await migrateDatabase(connection, log)
  await connectRoles(connection, ROLE_PASSWORDS, log)
  const server = await openServer(connection)
  stack.defer(server.stop)
  const user = await makeUser(server.db, { features: ['patient::files', 'admin::review-files'] })
  const reviewer = await server.signIn(user.email)
  const [from, to] = [await makeCategory(server.db), await makeCategory(server.db)]
  const patient = await makePatient(server.db)
  await sql`
    insert into upload (id, number, patient_id, category_slug, title, source, state, created_by)
    select gen_random_uuid(), 1000000 + n, ${patient.id}::uuid, ${from.slug}, 'RM', 'staff', 'in_review', ${user.id}::uuid
    from generate_series(1, ${uploads}::int) n`.execute(server.db)
  await sql`analyze upload`.execute(server.db)

  const rows: string[][] = []
  let id = ''
  const measure = async (what: string, expected: string, begin: () => Promise<unknown>) => {
    const start = performance.now()
    await begin()
    const begun = performance.now()
    const waits: number[] = []
    let isWorking = true
    const others = (async () => {
      while (isWorking) {
        const sent = performance.now()
        await reviewer.runQuery(QUEUE)
        waits.push(performance.now() - sent)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    })()
    await server.runJobs()
    isWorking = false
    await others
    const { operation } = await reviewer.runQuery(READ, { id })
    if (JSON.stringify(operation.counts) !== JSON.stringify([{ outcome: expected, count: uploads }]))
      throw new Error(`${what}: ${JSON.stringify(operation)}`)
    const seconds = (performance.now() - begun) / 1_000
    waits.sort((a, b) => a - b)
    rows.push([
      what,
      figure((begun - start) / 1_000),
      figure(seconds),
      figure((seconds * 1_000) / uploads),
      figure(waits[Math.floor(waits.length / 2)]!),
      figure(waits.at(-1)!),
    ])
  }
  const change = async (field: string) => {
    const { version } = (await reviewer.runQuery(READ, { id })).operation
    await reviewer.runQuery(
      `mutation ($id: ID!, $version: Int!) { ${field}(id: $id, version: $version) { id } }`,
      { id, version },
    )
  }
  await measure('plan', 'will_change', async () => {
    const filter = { category: from.slug }
    id = (await reviewer.runQuery(PLAN, { filter, slug: to.slug })).planOperation.id
  })
  await measure('another category', 'changed', () => change('startOperation'))
  await measure('undo', 'undone', () => change('undoOperation'))
  return {
    title: `One operation for ${uploads} uploads`,
    columns: [
      'what',
      'request, s',
      'job, s',
      'an upload, ms',
      'queue meanwhile, median ms',
      'queue, longest ms',
    ],
    rows,
    notes: ['No statement took five seconds: a longer one would have been cancelled.'],
  }
}
