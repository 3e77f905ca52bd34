import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { withDatabase } from './open-database.ts'

/** The product's files in the data folder besides the database; the secret is kept. */
const DATA_FILES = ['files', 'incoming', 'audit-anchors.jsonl']

/** `npm run db:reset`: empties the database and deletes its files; the next start fills it with the demo again. */
await withDatabase(async ({ config, db }) => {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    `.execute(connection)
    if (rows.length > 0) throw new Error('the database is in use: stop the server first')
    await sql`drop schema if exists pgboss, public cascade`.execute(connection)
    await sql`create schema public`.execute(connection)
  })
  for (const name of DATA_FILES) await rm(join(config.dataDir, name), { recursive: true, force: true })
})
