import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeCase, findBadPlans } from '../test/query-plans/query-plans.ts'
import { measureArchives } from './archives.ts'
import { measureAuditLog } from './audit-log.ts'
import { measureBatch } from './batch/measure-batch.ts'
import { measureKeys } from './batch/measure-keys.ts'
import { measureWays } from './batch/measure-ways.ts'
import { clickedRowsTable, measureScreens, nextDocumentTable, screensTable } from './browser/screens.ts'
import { measureTypedSearches } from './browser/typed-searches.ts'
import { startFloor, startProduct } from './contestants.ts'
import { measureDashboard } from './dashboard.ts'
import { type BenchDatabase, startDatabase } from './database.ts'
import { measureCrowd, measureHealth } from './health.ts'
import { measureImports } from './imports/measure-imports.ts'
import { measureKills } from './imports/measure-kills.ts'
import { describeMachine } from './machine.ts'
import { measureOperations } from './operations/measure-operations.ts'
import { startPostgraphile } from './postgraphile/start-postgraphile.ts'
import { measureReads } from './reads.ts'
import { goalsTable, growthTable, readsTable, toMarkdown, uploadsTable } from './report.ts'
import { measureRestarts } from './restart.ts'
import { type Results, readResults, saveResults } from './results.ts'
import { measureShapes } from './search-shapes.ts'
import type { Table } from './table.ts'
import { measureUploads } from './uploads.ts'
import { measureWorkers } from './workers.ts'

const USAGE = `npm run bench -- [--only api|uploads|growth|spellings|screens|audit-log|health|crowd|archives|batch|bulk-keys|intake-ways|operations|imports|import-kills|dashboard|restart|workers|shapes|report] [--patients N] [--seconds S] [--rounds R]
                 [--question WORDS] [--uploads N] [--folder PATH]

  api        the queries of the screens, on a database of N patients (100000)
  growth     these queries at 10000, 100000 and 1000000 patients, and the plans of every list and search at the largest
  spellings  150 spellings typed in a browser, on a database of N patients
  uploads    1 GiB, and 1,000 files of 300 kB
  screens    the first visit of seven screens in a browser, a click on a row, and the next document after a verdict
  audit-log  the verification of a chain of 200000 entries
  health     the responses of /healthz while hostile files are checked, opened and released
  crowd      the same, and the wait of a colleague's file, while fifty hostile files are checked
  archives   the check of archives of 600 and 2,000 DICOM slices: time, memory of the sandbox and of the server
  batch      300 to 1,000 files sent at once, also with a killed server and with hostile files: time, memory, lost files
  bulk-keys  the 300 files of a day filed in a browser with the keyboard alone, beside one patient at a time
  intake-ways the same 300 results by the page of a batch, a watched folder and POST /api/intake, with killed servers
  operations one change for N uploads (30000), its undo, one that is cancelled, and a renamed category
  imports    the import of 100,000 patients from CSV: time, memory of the server, and a colleague's list meanwhile
  dashboard  each figure of the dashboard beside the list that it leads to, on a database of N patients
  restart    the first response after a kill of the server and of its PostgreSQL, beside PostgreSQL's own recovery
  import-kills the import of 20,000 patients by servers that are killed ten times
  workers    queries of screens at one worker and at two, on a database of N patients
  shapes     searches of more words than two beside one of two, on a database of N patients
  report     measures nothing, prints the tables of earlier measurements
Without --only: api, uploads and screens. README.md of this folder explains the columns.`

const PARTS = [
  'api',
  'uploads',
  'growth',
  'spellings',
  'screens',
  'audit-log',
  'health',
  'crowd',
  'archives',
  'batch',
  'bulk-keys',
  'intake-ways',
  'operations',
  'imports',
  'import-kills',
  'dashboard',
  'restart',
  'workers',
  'shapes',
  'report',
] as const
const GROWTH = [10_000, 100_000, 1_000_000]
/** Patients of the database during the measurement of uploads. */
const SMALL = 10_000
/** Entries of the audit log that is verified. */
const ENTRIES = 200_000

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    patients: { type: 'string', default: '100000' },
    /** The length of one window of one server. */
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    /** The uploads of an operation. */
    uploads: { type: 'string', default: '30000' },
    /** A part of a query's name: only matching queries run. */
    question: { type: 'string', default: '' },
    /** The folder of the databases, which are kept, and of the results. */
    folder: { type: 'string', default: join(tmpdir(), 'dosar-bench') },
  },
})
const numbers = [flags.patients, flags.seconds, flags.rounds, flags.uploads].map(Number)
if (numbers.some((number) => !(number > 0)) || (flags.only && !PARTS.some((part) => part === flags.only))) {
  console.error(USAGE)
  process.exit(1)
}
const [patients = 0, seconds = 0, rounds = 0, operated = 0] = numbers
const { folder } = flags
const wants = (part: (typeof PARTS)[number]) => flags.only === part || !flags.only

await mkdir(folder, { recursive: true })
const results: Results = readResults(folder)

const runReads = (size: number) =>
  withOrganisation(size, async ({ stack, database, scratch }) => {
    const floor = await startFloor(database, scratch)
    stack.defer(floor.stop)
    const product = await startProduct(database, { audit: true })
    stack.defer(product.stop)
    const unaudited = await startProduct(database, { audit: false })
    stack.defer(unaudited.stop)
    const postgraphile = await startPostgraphile(database)
    stack.defer(postgraphile.stop)
    const measured = await measureReads(
      database,
      { floor, postgraphile, product, unaudited },
      { rounds, seconds, only: flags.question },
    )
    const before = results.reads[size]?.results.filter(
      ({ name }) => !measured.some((each) => each.name === name),
    )
    results.reads[size] = { at: new Date().toISOString(), results: [...(before ?? []), ...measured] }
    saveResults(folder, results)
  })

const runUploads = () =>
  withOrganisation(SMALL, async ({ stack, database, scratch }) => {
    const floor = await startFloor(database, scratch)
    stack.defer(floor.stop)
    const product = await startProduct(database, { audit: true })
    stack.defer(product.stop)
    const measured = await measureUploads(database, { floor, product }, { folder: scratch, rounds })
    results.uploads = { at: new Date().toISOString(), results: measured }
    saveResults(folder, results)
  })

/**
 * Returns the lists and searches of the product whose plan at that size would be slower in a larger database.
 */
const checkPlans = (size: number) =>
  withOrganisation(size, async ({ database }) => {
    const bad = await findBadPlans(database.connection)
    results.plans = {
      at: new Date().toISOString(),
      bad: bad.map((plan) => `${describeCase(plan.case)}: ${plan.fault.kind}`),
    }
    saveResults(folder, results)
  })

async function runScreens(): Promise<void> {
  const { screens, next, clicked } = await measureScreens()
  const at = new Date().toISOString()
  results.screens = { at, table: screensTable(screens) }
  results.nextDocument = { at, table: nextDocumentTable(next) }
  results.clickedRows = { at, table: clickedRowsTable(clicked) }
  saveResults(folder, results)
}

async function runAuditLog(): Promise<void> {
  const scratch = await mkdtemp(join(folder, 'scratch-'))
  try {
    results.auditLog = {
      at: new Date().toISOString(),
      table: await measureAuditLog(scratch, ENTRIES, rounds),
    }
    saveResults(folder, results)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function runOperations(): Promise<void> {
  const scratch = await mkdtemp(join(folder, 'scratch-'))
  try {
    const at = new Date().toISOString()
    results.operations = { at, table: await measureOperations(scratch, operated) }
    saveResults(folder, results)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Measures in new databases, which are removed afterwards. */
async function runAnew(
  part: 'imports' | 'importKills' | 'bulkKeys' | 'intakeWays' | 'restart',
  measure: (folder: string) => Promise<Table>,
) {
  const scratch = join(folder, part)
  await rm(scratch, { recursive: true, force: true })
  try {
    results[part] = { at: new Date().toISOString(), table: await measure(scratch) }
    saveResults(folder, results)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const CHECKS = {
  health: measureHealth,
  crowd: measureCrowd,
  archives: measureArchives,
}

const isCheck = (part: string): part is keyof typeof CHECKS => Object.hasOwn(CHECKS, part)

const runCheck = (part: keyof typeof CHECKS) =>
  withOrganisation(SMALL, async ({ stack, database, scratch }) => {
    const product = await startProduct(database, { audit: true })
    stack.defer(product.stop)
    results[part] = { at: new Date().toISOString(), table: await CHECKS[part](database.db, product, scratch) }
    saveResults(folder, results)
  })

const runBatch = () =>
  withOrganisation(SMALL, async ({ database, scratch }) => {
    const table = await measureBatch(database, scratch, flags.question)
    results.batch = { at: new Date().toISOString(), table }
    saveResults(folder, results)
  })

const runSpellings = (size: number) =>
  withOrganisation(size, async ({ stack, database }) => {
    const product = await startProduct(database, { audit: true })
    stack.defer(product.stop)
    const table = await measureTypedSearches(database.db, product, size)
    results.spellings = { at: new Date().toISOString(), table }
    saveResults(folder, results)
  })

const runDashboard = (size: number) =>
  withOrganisation(size, async ({ database }) => {
    results.dashboard = { at: new Date().toISOString(), table: await measureDashboard(database, size) }
    saveResults(folder, results)
  })

const runShapes = (size: number) =>
  withOrganisation(size, async ({ database }) => {
    results.shapes = {
      at: new Date().toISOString(),
      table: await measureShapes(database, { rounds, seconds }),
    }
    saveResults(folder, results)
  })

const runWorkers = (size: number) =>
  withOrganisation(size, async ({ database }) => {
    results.workers = {
      at: new Date().toISOString(),
      table: await measureWorkers(database, { rounds, seconds }),
    }
    saveResults(folder, results)
  })

type BenchOrganisation = { stack: AsyncDisposableStack; database: BenchDatabase; scratch: string }

/**
 * Runs `measure` on a database of that size, with a temporary folder on the same disk; `stack` disposes at
 * its end.
 */
async function withOrganisation(
  size: number,
  measure: (organisation: BenchOrganisation) => Promise<void>,
): Promise<void> {
  const stack = new AsyncDisposableStack()
  try {
    const scratch = await mkdtemp(join(folder, 'scratch-'))
    stack.defer(() => rm(scratch, { recursive: true, force: true }))
    const database = await startDatabase(folder, size)
    stack.defer(database.stop)
    await measure({ stack, database, scratch })
  } finally {
    await stack.disposeAsync()
  }
}

function print(): void {
  console.log(`${describeMachine()}\n`)
  const tables = [goalsTable(results)]
  for (const [size, { at, results: reads }] of Object.entries(results.reads))
    tables.push(readsTable(reads, `${size} patients (${at.slice(0, 16)})`))
  if (Object.keys(results.reads).length > 1) tables.push(growthTable(results.reads))
  if (results.uploads) tables.push(uploadsTable(results.uploads.results))
  if (results.screens) tables.push(results.screens.table)
  if (results.nextDocument) tables.push(results.nextDocument.table)
  if (results.clickedRows) tables.push(results.clickedRows.table)
  if (results.auditLog) tables.push(results.auditLog.table)
  if (results.operations) tables.push(results.operations.table)
  for (const result of [
    results.spellings,
    results.health,
    results.crowd,
    results.archives,
    results.batch,
    results.bulkKeys,
    results.intakeWays,
    results.imports,
    results.importKills,
    results.dashboard,
    results.restart,
    results.workers,
    results.shapes,
  ])
    if (result) tables.push(result.table)
  if (results.plans)
    tables.push({
      title: 'Plans that grow',
      columns: ['question'],
      rows: results.plans.bad.map((bad) => [bad]),
      notes: [],
    })
  for (const table of tables) console.log(`${toMarkdown(table)}\n`)
}

if (flags.only === 'growth') {
  for (const size of GROWTH) await runReads(size)
  await checkPlans(GROWTH.at(-1)!)
} else if (wants('api')) await runReads(patients)
if (wants('uploads')) await runUploads()
if (wants('screens')) await runScreens()
if (flags.only === 'spellings') await runSpellings(patients)
if (flags.only === 'audit-log') await runAuditLog()
if (flags.only === 'operations') await runOperations()
if (flags.only === 'bulk-keys') await runAnew('bulkKeys', measureKeys)
if (flags.only === 'intake-ways') await runAnew('intakeWays', measureWays)
if (flags.only === 'imports') await runAnew('imports', measureImports)
if (flags.only === 'import-kills') await runAnew('importKills', measureKills)
if (flags.only === 'restart')
  await runAnew('restart', (scratch) => measureRestarts(scratch, { rounds, seconds }))
if (flags.only === 'dashboard') await runDashboard(patients)
if (flags.only === 'workers') await runWorkers(patients)
if (flags.only === 'shapes') await runShapes(patients)
if (flags.only === 'batch') await runBatch()
if (flags.only && isCheck(flags.only)) await runCheck(flags.only)
print()
