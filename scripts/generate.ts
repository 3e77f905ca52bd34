import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assertEmpty, generateRows } from '../db/generate.ts'
import { readConfig } from '../server/config.ts'
import { type DatabaseConnection, openDatabase } from '../server/platform/database.ts'
import { openDiskStorage } from '../server/platform/disk-storage.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { migrateDatabase } from '../server/platform/migrate.ts'

/**
 * Fills an empty database with invented patients and uploads, and says what it took:
 *
 *     npm run generate -- --patients 1000000 --uploads 3000000 [--database postgres://…]
 *
 * Without `--database` it is the one that `npm start` would use: DATABASE_URL, or the embedded one of DATA_DIR.
 */

const USAGE = 'npm run generate -- --patients N --uploads M [--database URL]'

function readArguments() {
  const { values } = parseArgs({
    options: { patients: { type: 'string' }, uploads: { type: 'string' }, database: { type: 'string' } },
  })
  const patients = Number(values.patients)
  const uploads = Number(values.uploads)
  if (![patients, uploads].every((count) => Number.isSafeInteger(count) && count > 0)) throw new Error(USAGE)
  return {
    patients,
    uploads,
    env: { ...process.env, ...(values.database && { DATABASE_URL: values.database }) },
  }
}

async function generate(): Promise<void> {
  const { env, ...sizes } = readArguments()
  const config = readConfig(env)
  if (config.production)
    throw new Error('NODE_ENV is production: the accounts generated have a password that is public')
  process.umask(0o077)
  const log = createLog('warn', (line) => process.stderr.write(line))
  const { database } = config
  const embedded =
    database.kind === 'embedded' ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const connection: DatabaseConnection =
    database.kind === 'external' ? { connectionString: database.connectionString } : embedded!.connection
  try {
    const db = openDatabase(connection, () => undefined)
    try {
      // Before the schema of somebody's house is moved on.
      await assertEmpty(db)
      await migrateDatabase(connection, log)
      const storage = await openDiskStorage(join(config.dataDir, 'files'))
      const start = performance.now()
      const { phases, rows, bytes } = await generateRows({ db, storage, now: new Date(), ...sizes })
      for (const { name, seconds } of phases)
        process.stdout.write(`${name.padEnd(20)} ${seconds.toFixed(1)} s\n`)
      for (const [table, count] of Object.entries(rows))
        process.stdout.write(`${table.padEnd(20)} ${count} rows\n`)
      const total = (performance.now() - start) / 1000
      process.stdout.write(`${total.toFixed(1)} s in all, ${Math.round(bytes / 1024 ** 2)} MiB\n`)
    } finally {
      await db.destroy()
    }
  } finally {
    await embedded?.stop()
  }
}

generate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
