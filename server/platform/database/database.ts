import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { PreparingClient } from './prepared-statements.ts'
import type { DB } from './types.generated.ts'

export type Db = Kysely<DB>
export type DatabaseConnection = pg.PoolConfig

// Counts and numbers fit a double by far; dates without a time stay the ISO text they are.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
const readAnyInstant: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)

/** `2026-03-02 12:00:00.123+02`, as nearly all of them are, read by the language itself: a list has a hundred of them. */
function readInstant(text: string): unknown {
  const isPlain = text[4] === '-' && text[10] === ' ' && /[+-]\d\d$/.test(text)
  return isPlain ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : readAnyInstant(text)
}

/** Milliseconds a statement may take before the server gives up on it. */
const STATEMENT_TIMEOUT_MS = 5_000

/**
 * Until the end of the transaction that `db` is, a statement may take a minute: for one that changes as many rows as there
 * are, where nobody could make it shorter by trying again.
 */
export async function allowLongStatements(db: Db): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(db)
}

/**
 * Until the end of the transaction that `db` is, a statement may take 20 seconds and wait two for a lock: for work that no
 * request waits for and that runs again later.
 */
export async function limitHousekeeping(db: Db): Promise<void> {
  await sql`set local statement_timeout = '20s'`.execute(db)
  await sql`set local lock_timeout = '2s'`.execute(db)
}

/** A pool of connections with typed queries on it. Errors of idle connections are the log's, not the process's end. */
export function openDatabase(connection: DatabaseConnection, onIdleError: (error: Error) => void): Db {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'dosar',
    ...connection,
    Client: PreparingClient,
  })
  pool.on('error', onIdleError)
  // One that breaks between two queries of a transaction tells the pool nothing; its next query fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** SQLSTATE classes and system errors that mean: the database is away for now, nothing was decided. */
const UNAVAILABLE_ERROR_CODES = /^(08|57P0|53|58|ECONN|EHOST|ENET|ENOENT|EPIPE|ETIMEDOUT)/
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'not queryable',
]

/** Whether the error says that the database cannot be reached, so that trying again later is the right answer. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return UNAVAILABLE_ERROR_CODES.test(error.code)
  return UNAVAILABLE_MESSAGES.some((message) => error.message.includes(message))
}

/** Whether a statement that failed may have been carried out all the same: it is the connection that broke. */
export const mayHaveExecuted = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Error && 'code' in error && !(error instanceof pg.DatabaseError))

/** Whether a row was refused because another one already has the value that this index keeps unique. */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index

/** Resolves while the database answers; rejects, after the pool's time limits at the latest, while it does not. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Whether the database refused a value for what it is: out of range, not of its type (SQLSTATE class 22). */
export const isInvalidValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)
