import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { deriveRolePasswords } from '../server/platform/crypto/keys.ts'

/** The connection to the run's PostgreSQL; plain values, since they are sent between processes. */
export type TestConnection = { host: string; port: number; user: string; password: string; database: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestConnection
  }
}

export const TEMPLATE = 'dosar_template'

/** For AUTH_SECRET of servers that a test starts on the run's PostgreSQL: all of them share its roles. */
export const TEST_SECRET = 'the secret of all tests, with which roles get their passwords'
export const ROLE_PASSWORDS = deriveRolePasswords(Buffer.from(TEST_SECRET))

/** Returns the connection of a role of requests to the same database. */
export const connectAs = (
  connection: TestConnection,
  role: 'staff' | 'guest' | 'recipient',
): TestConnection => ({
  ...connection,
  user: `dosar_${role}`,
  password: ROLE_PASSWORDS[role],
})

export const runSql = (connection: pg.ClientConfig, sql: string): Promise<unknown> =>
  withClient(connection, (client) => client.query(sql))

async function withClient<T>(
  connection: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** A database that the tests of this worker use one after another. */
type ReusableDatabase = {
  connection: TestConnection
  /** The result of `DESCRIBE_SCHEMA` when the database was new. */
  schema: string
  /** Statements that restore the rows and sequences of a new database. */
  reset: string
}

/** Above the size after an ordinary test; dropping a larger database is faster than emptying it. */
const MAX_REUSED_BYTES = 20 * 1024 * 1024

/**
 * Returns one hash of columns, constraints, triggers and functions: a test that changes one of them changes
 * the hash.
 */
const DESCRIBE_SCHEMA = `
  select md5(string_agg(fact, ';' order by fact)) as schema from (
    select concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, attidentity) as fact
      from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', conrelid::regclass, conname, convalidated)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger
    union all select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat_ws(' ', relnamespace::regnamespace, relname)
      from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
  ) facts`

const reusable: ReusableDatabase[] = []

/**
 * Returns a migrated database without rows, for one test at a time: a database that an earlier test of this worker has
 * released, or a new one. `drop` releases it, or drops it if its schema was changed, it has grown large or is still locked.
 */
export async function createDatabase(): Promise<{ connection: TestConnection; drop: () => Promise<void> }> {
  const database = reusable.pop() ?? (await makeReusable())
  return {
    connection: database.connection,
    drop: async () => {
      const isReset = await resetDatabase(database).catch(() => false)
      if (isReset) reusable.push(database)
      else await runSql(inject('postgres'), `drop database ${database.connection.database} with (force)`)
    },
  }
}

async function makeReusable(): Promise<ReusableDatabase> {
  const admin = inject('postgres')
  const connection = { ...admin, database: `test_${randomBytes(6).toString('hex')}` }
  await runSql(admin, `create database ${connection.database} template ${TEMPLATE}`)
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const { rows: sequences } = await client.query<{ name: string; start: string }>(
      'select sequencename as name, start_value as start from pg_sequences',
    )
    const reset: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ json: string }>(`select to_jsonb(t)::text as json from ${name} t`)
      reset.push(`delete from ${name}`)
      for (const { json } of rows)
        reset.push(
          `insert into ${name} select * from jsonb_populate_record(null::${name}, ${client.escapeLiteral(json)})`,
        )
    }
    for (const { name, start } of sequences) reset.push(`select setval('${name}', ${start}, false)`)
    const { rows } = await client.query<{ schema: string }>(DESCRIBE_SCHEMA)
    return { connection, schema: rows[0]!.schema, reset: reset.join(';') }
  })
}

/** Empties the database; returns false where it cannot be used again. */
const resetDatabase = ({ connection, schema, reset }: ReusableDatabase): Promise<boolean> =>
  withClient(connection, async (client) => {
    const { rows } = await client.query<{ schema: string; bytes: number }>(
      `select pg_database_size(current_database()) as bytes, (${DESCRIBE_SCHEMA})`,
    )
    if (rows[0]!.schema !== schema || rows[0]!.bytes > MAX_REUSED_BYTES) return false
    await client.query(`set lock_timeout = '1s'; set session_replication_role = replica; ${reset}`)
    return true
  })
