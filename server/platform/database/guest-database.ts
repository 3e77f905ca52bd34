import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { type DatabaseConnection, type Db, openPool } from './database.ts'
import { runPrepared, type Statement } from './prepared-statements.ts'
import type { DB } from './types.generated.ts'

export type GuestDatabases = {
  /**
   * Returns the database as users of these institutions see it, and as this one of them, who alone sees what is personal; each
   * call returns an object of its own.
   */
  forInstitutions(ids: readonly string[], userId?: string): Db
  destroy(): Promise<void>
}

export type RecipientDatabases = {
  /** Returns the database as the recipient sees it who has proved a share in this session. */
  forSession(id: string): Db
  destroy(): Promise<void>
}

/** Neither guests nor recipients must take the connections of staff. */
const MAX_CONNECTIONS = 5
const QUERY_TIMEOUT_MS = 10_000

/** Opens the pool of `dosar_guest`. */
export function openGuestDatabases(
  connection: DatabaseConnection,
  onIdleError: (error: Error) => void,
): GuestDatabases {
  const { scopedTo, destroy } = openScoped(connection, onIdleError)
  return {
    forInstitutions: (ids, userId = '') =>
      scopedTo({ 'dosar.institutions': `{${ids.join(',')}}`, 'dosar.user': userId }),
    destroy,
  }
}

/** Opens the pool of `dosar_recipient`. */
export function openRecipientDatabases(
  connection: DatabaseConnection,
  onIdleError: (error: Error) => void,
): RecipientDatabases {
  const { scopedTo, destroy } = openScoped(connection, onIdleError)
  return { forSession: (id) => scopedTo({ 'dosar.share_session': id }), destroy }
}

/** The settings that the policies of a role read, by name. */
type Settings = Readonly<Record<string, string>>

/**
 * Opens the pool of a role whose policies read settings. Each statement outside a transaction gets one of its own that begins with
 * the settings; all of it is sent at once, so the database is reached in one trip. The settings end with the
 * transaction, so no connection keeps them for another reader.
 */
function openScoped(
  connection: DatabaseConnection,
  onIdleError: (error: Error) => void,
): { scopedTo: (settings: Settings) => Db; destroy: () => Promise<void> } {
  const pool = openPool(
    // Statements are cancelled by the database before; this ends a connection that no longer answers.
    {
      max: MAX_CONNECTIONS,
      query_timeout: QUERY_TIMEOUT_MS,
      ...connection,
      pipeline: true,
      Client: pg.Client,
    } as DatabaseConnection,
    onIdleError,
  )
  return {
    scopedTo: (settings) => {
      const begin = beginWith(settings)
      const scoped: PostgresPool = {
        connect: async () => new ScopedClient((await pool.connect()) as ScopedConnection, begin),
        // The pool belongs to all readers of the role.
        end: async () => undefined,
        options: {},
      }
      return new Kysely<DB>({ dialect: new PostgresDialect({ pool: scoped }) })
    },
    destroy: () => pool.end(),
  }
}

/** Returns the statements that begin a transaction with the settings. */
const beginWith = (settings: Settings): string => {
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  )
  return `begin; select ${set.join(', ')}`
}

type ScopedConnection = pg.PoolClient & Pick<pg.Client, 'connection'>

/** A connection while it works for one reader. */
class ScopedClient implements PostgresPoolClient {
  readonly #client: ScopedConnection
  readonly #begin: string
  #inTransaction = false
  #isReleased = false

  constructor(client: ScopedConnection, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  // biome-ignore lint/suspicious/noExplicitAny: the dialect declares a cursor here too, which nothing uses
  query(text: any, values: any = []): any {
    return this.#run({ text, values })
  }

  release(isBroken?: boolean): void {
    this.#isReleased = true
    this.#client.release(isBroken)
  }

  async #run(statement: Statement): Promise<pg.QueryResult> {
    const { text } = statement
    // The connection may work for another reader by now.
    if (this.#isReleased) throw new Error('the connection has been released')
    if (text === 'begin') {
      await this.#client.query(this.#begin)
      this.#inTransaction = true
      return EMPTY
    }
    if (text.startsWith('start transaction')) throw new Error('only ordinary transactions have the setting')
    const isEnd = text === 'commit' || text === 'rollback'
    if (this.#inTransaction || isEnd) {
      if (isEnd) this.#inTransaction = false
      return this.#client.query(text, statement.values)
    }
    return runPrepared(this.#client, statement, (prepared) => this.#runScoped(prepared))
  }

  /** Runs the statement in a transaction of its own: three messages, written at once. */
  async #runScoped(statement: Statement): Promise<pg.QueryResult> {
    const [begun, result, ended] = await Promise.allSettled(
      this.#atOnce(
        () =>
          [
            this.#client.query(this.#begin),
            this.#client.query(statement),
            this.#client.query('commit'),
          ] as const,
      ),
    )
    for (const part of [begun, result, ended]) if (part.status === 'rejected') throw part.reason
    return (result as PromiseFulfilledResult<pg.QueryResult>).value
  }

  /** Sends messages in one write: each write costs more than what it sends. */
  #atOnce<T>(send: () => T): T {
    const { stream } = this.#client.connection
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }
}

const EMPTY = { command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] } satisfies pg.QueryResult
