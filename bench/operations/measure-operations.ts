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
const CANCEL = 'mutation ($id: ID!) { cancelOperation(id: $id) { id } }'
const QUEUE = '{ uploads(first: 50) { nodes { id } } }'

const SAVE = 'mutation ($input: String!) { saveCategories(input: $input) }'

/** The items of an operation by outcome. */
type Counts = Readonly<Record<string, number>>

/**
 * Fills a new database in `folder` with this number of uploads, gives all of them another category by one operation and
 * undoes it; cancels another one in the middle and undoes that; then renames their category in the editor. Every statement
 * of the product ends after five seconds, so that a longer one fails the measurement.
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
  const read = async () => (await reviewer.runQuery(READ, { id })).operation
  const counts = async (): Promise<Counts> =>
    Object.fromEntries(
      (await read()).counts.map(({ outcome, count }: { outcome: string; count: number }) => [outcome, count]),
    )
  /** Measures a request and the jobs that follow; `meanwhile` runs about five times a second until they end. */
  const measure = async (
    what: string,
    begin: () => Promise<unknown>,
    { meanwhile, count = () => uploads }: { meanwhile?: () => Promise<void>; count?: () => number } = {},
  ): Promise<void> => {
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
        await meanwhile?.()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    })()
    await server.runJobs()
    const seconds = (performance.now() - begun) / 1_000
    isWorking = false
    await others
    waits.sort((a, b) => a - b)
    rows.push([
      what,
      figure((begun - start) / 1_000),
      figure(seconds),
      figure(count() / seconds),
      figure(waits[Math.floor(waits.length / 2)]!),
      figure(waits.at(-1)!),
    ])
  }
  const expectCounts = async (what: string, reached: (counts: Counts) => boolean) => {
    const found = await counts()
    if (!reached(found)) throw new Error(`${what}: ${JSON.stringify(found)}`)
  }
  const change = async (field: string) => {
    const { version } = await read()
    await reviewer.runQuery(
      `mutation ($id: ID!, $version: Int!) { ${field}(id: $id, version: $version) { id } }`,
      { id, version },
    )
  }
  const plan = (what: string) =>
    measure(what, async () => {
      const filter = { category: from.slug }
      id = (await reviewer.runQuery(PLAN, { filter, slug: to.slug })).planOperation.id
    }).then(() => expectCounts(what, ({ will_change }) => will_change === uploads))

  await plan('plan')
  let progress = 0
  await measure('another category', () => change('startOperation'), {
    meanwhile: async () => {
      const { changed = 0 } = await counts()
      if (changed < progress) throw new Error(`progress: ${changed} after ${progress}`)
      progress = changed
    },
  })
  await expectCounts('another category', ({ changed }) => changed === uploads)
  await measure('undo', () => change('undoOperation'))
  await expectCounts('undo', ({ undone }) => undone === uploads)

  await plan('plan again')
  let left = uploads
  await measure('cancelled in the middle', () => change('startOperation'), {
    meanwhile: async () => {
      if (left < uploads || ((await counts()).changed ?? 0) < uploads / 2) return
      await reviewer.runQuery(CANCEL, { id })
      left = (await counts()).will_change ?? 0
    },
    count: () => uploads - left,
  })
  const changed = uploads - left
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from upload where category_slug = ${to.slug}`.execute(server.db)
  if (found[0]?.count !== changed) throw new Error(`cancelled: ${changed} and ${JSON.stringify(found)}`)
  await measure('undo of those', () => change('undoOperation'), { count: () => changed })
  await expectCounts('undo of those', ({ undone }) => undone === changed)

  const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  await measure('a renamed category', async () => {
    const { tree } = JSON.parse((await admin.runQuery('{ getCategories }')).getCategories)
    const renamed = tree.map((each: { slug: string }) =>
      each.slug === from.slug ? { ...each, slug: 'renamed' } : each,
    )
    const { errors } = await admin.graphql(
      SAVE,
      { input: JSON.stringify(renamed) },
      { categories: { moves: { [from.slug]: 'renamed' } } },
    )
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
  })
  return {
    title: `One change for ${uploads} uploads`,
    columns: [
      'what',
      'request, s',
      'jobs, s',
      'uploads/s',
      'queue meanwhile, median ms',
      'queue, longest ms',
    ],
    rows,
    notes: [
      `Cancelled after ${changed} uploads. No statement took five seconds: a longer one would have been cancelled.`,
    ],
  }
}
