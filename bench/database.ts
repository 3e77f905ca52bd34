import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { generateRows } from '../db/generate.ts'
import { upsertSettings } from '../server/features/site/site.db.ts'
import { type Db, openDatabase } from '../server/platform/database/database.ts'
import { migrateDatabase } from '../server/platform/database/migrate.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'

export type BenchDatabase = {
  db: Db
  connection: EmbeddedPostgres['connection']
  /** For DATABASE_URL. */
  url: string
  /** For DATA_DIR: the folder with the files of the uploads. */
  dataDir: string
  postmaster: number
  stop(): Promise<void>
}

const OWNER_PASSWORD = 'bench'

/** Creates the role that the product connects as, like an operator. */
async function createOwner(db: Db): Promise<void> {
  const script = readFileSync(new URL('../db/create-owner.sql', import.meta.url), 'utf8')
  await db.connection().execute(async (one) => {
    await sql`select set_config('dosar.owner_password', ${OWNER_PASSWORD}, false)`.execute(one)
    await sql.raw(script).execute(one)
  })
}

/** Returns the process id of the PostgreSQL that runs on a data folder. */
export const readPostmaster = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Uploads of a patient, on average. */
const UPLOADS = 3

/**
 * Starts the product's own PostgreSQL with the product's own settings, on a folder of the bench, filled the first time with
 * this number of invented patients and kept for the next run. All measured servers use it.
 */
export async function startDatabase(folder: string, patients: number): Promise<BenchDatabase> {
  const dataDir = join(folder, `patients-${patients}`)
  await mkdir(dataDir, { recursive: true })
  const log = createLog('warn', (line) => process.stderr.write(line))
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const { connection } = postgres
  await migrateDatabase(connection, log)
  const db = openDatabase({ ...connection, max: 2, statement_timeout: 600_000 }, () => undefined)
  if (!(await db.selectFrom('patient').select('id').limit(1).executeTakeFirst())) {
    const storage = await openDiskStorage(join(dataDir, 'files'))
    process.stderr.write(`filling ${dataDir} …\n`)
    await generateRows({ db, storage, now: new Date(), patients, uploads: patients * UPLOADS })
  }
  // In production the product does not start on the demo organisation, whose passwords are public, nor as a superuser. This
  // server is local.
  await upsertSettings(db, { demo: false })
  await createOwner(db)
  const { host, port, database } = connection
  return {
    db,
    connection,
    url: `postgres://dosar_owner:${OWNER_PASSWORD}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    dataDir,
    postmaster: readPostmaster(dataDir),
    stop: async () => {
      await db.destroy()
      await postgres.stop()
    },
  }
}
