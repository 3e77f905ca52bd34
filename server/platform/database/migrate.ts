import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import type { DatabaseConnection } from './database.ts'

const MIGRATIONS = new URL('../../../db/migrations/', import.meta.url)
/** Advisory lock that all servers of a database share: the one that has it migrates, the others wait. */
const MIGRATION_LOCK_KEY = 7_033_001

/**
 * Updates the database to the newest schema: runs each file of db/migrations once, in order, each in its own
 * transaction. Throws when the database is newer than this build, or PostgreSQL is older than 15.
 */
export async function migrateDatabase(connection: DatabaseConnection, log: Log): Promise<void> {
  const client = new pg.Client(connection)
  // A connection that ends between two queries makes the next one fail, and does not end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows: versions } = await client.query<{ v: number }>(
      "select current_setting('server_version_num')::int v",
    )
    if (versions[0]!.v < 150_000)
      throw new Error('PostgreSQL 15 or newer is needed (DATABASE_URL points to an older one)')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY])
    await client.query(
      'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migration')
    const applied = new Set(rows.map(({ name }) => name))
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
    const unknown = [...applied].filter((name) => !files.includes(name))
    if (unknown.length > 0) {
      throw new Error(
        `the database is newer than this build: it has ${unknown.join(', ')}; start the newer build`,
      )
    }
    for (const name of files.filter((file) => !applied.has(file))) {
      await client.query('begin')
      await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'))
      await client.query('insert into schema_migration (name) values ($1)', [name])
      await client.query('commit')
      log.info('migration applied', { name })
    }
  } finally {
    await client.end()
  }
}
