import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** How to reach the run's PostgreSQL: plain values, since they travel between processes. */
export type TestConnection = { host: string; port: number; user: string; password: string; database: string }

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestConnection
  }
}

export const TEMPLATE = 'dosar_template'

export async function runSql(connection: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A database of the test's own, already migrated; `drop` takes it away whoever is still connected. */
export async function createDatabase(): Promise<{ connection: TestConnection; drop: () => Promise<void> }> {
  const admin = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await runSql(admin, `create database ${database} template ${TEMPLATE}`)
  return {
    connection: { ...admin, database },
    drop: () => runSql(admin, `drop database ${database} with (force)`),
  }
}
