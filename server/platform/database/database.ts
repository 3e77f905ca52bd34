import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { PreparingClient } from './prepared-statements.ts'
import type { DB } from './types.generated.ts'

export type Db = Kysely<DB>
export type DatabaseConnection = pg.PoolConfig

// Every bigint of the schema fits a double exactly; dates without a time stay ISO text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
const readAnyInstant: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)

/**
 * Parses `2026-03-02 12:00:00.123+02` with the native Date, which is faster than pg's parser: a list has a
 * hundred dates.
 */
function readInstant(text: string): unknown {
  const isPlain = text[4] === '-' && text[10] === ' ' && /[+-]\d\d$/.test(text)
  return isPlain ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : readAnyInstant(text)
}

/** A statement that takes longer is cancelled by the database. */
const STATEMENT_TIMEOUT_MS = 5_000

/**
 * Lets statements take 60 seconds until the end of the transaction of `db`: for a statement that changes
 * every row of a table, which a retry would not make shorter.
 */
export async function allowLongStatements(db: Db): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(db)
}

/**
 * Lets statements take 20 seconds and wait 2 seconds for a lock until the end of the transaction of `db`: for
 * work that no request waits for and that runs again later.
 */
export async function limitHousekeeping(db: Db): Promise<void> {
  await sql`set local statement_timeout = '20s'`.execute(db)
  await sql`set local lock_timeout = '2s'`.execute(db)
}

/**
 * Opens a connection pool with typed queries. Errors of idle connections go to `onIdleError` and do not end
 * the process.
 */
export const openDatabase = (connection: DatabaseConnection, onIdleError: (error: Error) => void): Db =>
  new Kysely<DB>({
    dialect: new PostgresDialect({ pool: openPool({ ...connection, Client: PreparingClient }, onIdleError) }),
  })

/** Opens the connection pool of `openDatabase` without the typed queries. */
export function openPool(connection: DatabaseConnection, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'dosar',
    ...connection,
  })
  pool.on('error', onIdleError)
  // The pool does not listen to a connection in use. If it breaks between two queries of a transaction, the
  // next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** SQLSTATE classes and system errors of a database that is unavailable for the moment. */
const UNAVAILABLE_ERROR_CODES = /^(08|57P0|53|58|ECONN|EHOST|ENET|ENOENT|EPIPE|ETIMEDOUT)/
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'not queryable',
]

/** Whether the error means that the database cannot be reached, so that a later retry makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return UNAVAILABLE_ERROR_CODES.test(error.code)
  return UNAVAILABLE_MESSAGES.some((message) => error.message.includes(message))
}

/** Whether a failed statement may have been executed all the same, because the connection broke. */
export const mayHaveExecuted = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Error && 'code' in error && !(error instanceof pg.DatabaseError))

/** Whether the server rejected the role or its password. */
export const isWrongPassword = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('28') ?? false)

/** Whether a row was rejected because another row has the same value in this unique index. */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index

/**
 * Resolves when the database responds; rejects otherwise, after the time limits of the pool at the latest.
 */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Whether the database rejected a value: out of range, or not of the column's type (SQLSTATE class 22). */
export const isInvalidValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)
