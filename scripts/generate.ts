import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assertEmpty, generateRows } from '../db/generate.ts'
import { migrateDatabase } from '../server/platform/database/migrate.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'
import { withDatabase } from './open-database.ts'

/**
 * Fills an empty database with invented patients and uploads, and prints the time and the number of rows:
 *
 *     npm run generate -- --patients 1000000 --uploads 3000000 [--database postgres://…]
 *
 * Without `--database` it fills the database that `npm start` would use: DATABASE_URL, or the embedded one of DATA_DIR.
 */

const USAGE = 'npm run generate -- --patients N --uploads M [--database URL]'

function readArguments() {
  const { values } = parseArgs({
    options: { patients: { type: 'string' }, uploads: { type: 'string' }, database: { type: 'string' } },
  })
  const patients = Number(values.patients)
  const uploads = Number(values.uploads)
  if (![patients, uploads].every((count) => Number.isSafeInteger(count) && count > 0)) {
    process.stderr.write(`${USAGE}\n`)
    process.exit(1)
  }
  return {
    patients,
    uploads,
    env: { ...process.env, ...(values.database && { DATABASE_URL: values.database }) },
  }
}

const { env, ...sizes } = readArguments()
await withDatabase(async ({ config, connection, db, log }) => {
  // Before the migration, which must not change a database in use.
  await assertEmpty(db)
  await migrateDatabase(connection, log)
  const storage = await openDiskStorage(join(config.dataDir, 'files'))
  const start = performance.now()
  const { phases, rows, bytes } = await generateRows({ db, storage, now: new Date(), ...sizes })
  for (const { name, seconds } of phases) process.stdout.write(`${name.padEnd(20)} ${seconds.toFixed(1)} s\n`)
  for (const [table, count] of Object.entries(rows))
    process.stdout.write(`${table.padEnd(20)} ${count} rows\n`)
  const total = (performance.now() - start) / 1000
  process.stdout.write(`${total.toFixed(1)} s in all, ${Math.round(bytes / 1024 ** 2)} MiB\n`)
}, env)
