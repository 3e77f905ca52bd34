import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Runs after which a statement is prepared; most statements that are built for one occasion never reach it.
 */
const MIN_RUNS_TO_PREPARE = 20
/** Statements prepared on each connection. */
const MAX_PREPARED_STATEMENTS = 200
/** Statements whose runs are counted at the same time. */
const MAX_COUNTED_STATEMENTS = 1_000

/**
 * Whether one plan suits all values: not for LIKE, where the best plan depends on the pattern. Statements
 * that begin or end a transaction have no plan and must never run twice.
 */
export const isPreparable = (text: string): boolean =>
  !/\slike\s|^\s*(begin|start|commit|rollback|savepoint|release)\b/i.test(text)

/**
 * Errors of a prepared statement that is missing, or whose result type has changed with the schema; it has
 * not run.
 */
const STALE_PLAN_ERROR_CODES: ReadonlySet<string | undefined> = new Set(['0A000', '26000'])

/**
 * Derives the name from the text, so that on a connection that another process used before, the name never
 * belongs to another statement.
 */
const nameFor = (text: string): string =>
  `dosar_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

const runs = new Map<string, number>()
const names = new Map<string, string>()

/** Returns the name under which the statement is prepared; null when it runs unprepared. */
function nameOf(text: string): string | null {
  const name = names.get(text)
  if (name !== undefined || names.size >= MAX_PREPARED_STATEMENTS) return name ?? null
  const count = (runs.get(text) ?? 0) + 1
  if (count < MIN_RUNS_TO_PREPARE || !isPreparable(text)) {
    if (runs.size >= MAX_COUNTED_STATEMENTS) runs.clear()
    runs.set(text, count)
    return null
  }
  const made = nameFor(text)
  runs.delete(text)
  names.set(text, made)
  return made
}

/** A statement as it is sent; with a `name` it is prepared under that name. */
export type Statement = { text: string; values: unknown[]; name?: string }

/**
 * Runs a statement by `run`, prepared under a name if it is frequent: the database parses and plans it once
 * and not at every run, and planning a join of many tables is expensive.
 */
export async function runPrepared<Result>(
  client: Pick<pg.Client, 'getTransactionStatus' | 'end'>,
  statement: Statement,
  run: (statement: Statement) => Promise<Result>,
): Promise<Result> {
  const name = nameOf(statement.text)
  if (name === null) return run(statement)
  try {
    return await run({ ...statement, name })
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && STALE_PLAN_ERROR_CODES.has(error.code))) throw error
    // The pool opens a new connection, which prepares the statement again. Outside a transaction the
    // statement is simply repeated, so the caller sees no error.
    const isIdle = client.getTransactionStatus() === 'I'
    const repeated = isIdle ? run(statement) : Promise.reject(error)
    return await repeated.finally(() => void client.end())
  }
}

/** A connection that prepares frequent statements. */
export class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => Promise<unknown>
    this.query = ((...args: unknown[]) => {
      const [text, values, callback] = args
      if (typeof text !== 'string' || !Array.isArray(values) || callback) return query(...args)
      return runPrepared(this, { text, values }, ({ name, ...plain }) =>
        name === undefined ? query(plain.text, plain.values) : query({ name, ...plain }),
      )
    }) as typeof this.query
  }
}
