import { createHash } from 'node:crypto'
import pg from 'pg'

/** Runs after which a statement is kept prepared: most that are put together for one occasion never get there. */
const MIN_RUNS_TO_PREPARE = 20
/** Statements kept at each connection. */
const MAX_PREPARED_STATEMENTS = 200
/** Texts whose runs are counted at a time. */
const MAX_COUNTED_STATEMENTS = 1_000

/**
 * Whether one plan is as good for all values: not where the best way depends on the text that is looked for. What begins or ends
 * a transaction has no plan, and must never be said twice.
 */
export const isPreparable = (text: string): boolean =>
  !/\slike\s|^\s*(begin|start|commit|rollback|savepoint|release)\b/i.test(text)

/** What was prepared answers otherwise since the schema has moved on, or is not there; it has not run. */
const STALE_PLAN_ERROR_CODES: ReadonlySet<string | undefined> = new Set(['0A000', '26000'])

/** Of the text: should a connection ever be another process's before, it cannot find another statement under the name. */
const nameFor = (text: string): string =>
  `dosar_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

const runs = new Map<string, number>()
const names = new Map<string, string>()

/** The name under which a statement is prepared; null: it runs as it is. */
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

/**
 * A connection that has the database read and plan a statement once and not at every run, for those that run often: planning
 * one that joins many tables costs the database time again each time.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => Promise<unknown>
    const prepare = async (text: string, values: unknown[], name: string) => {
      try {
        return await query({ name, text, values })
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && STALE_PLAN_ERROR_CODES.has(error.code))) throw error
        // The pool makes a new connection, which prepares it anew. Outside of a transaction nobody needs to know.
        const isIdle = this.getTransactionStatus() === 'I'
        const response = isIdle ? query(text, values) : Promise.reject(error)
        return await response.finally(() => void this.end())
      }
    }
    this.query = ((...args: unknown[]) => {
      const [text, values, callback] = args
      const name = typeof text === 'string' && Array.isArray(values) && !callback ? nameOf(text) : null
      return name === null ? query(...args) : prepare(text as string, values as unknown[], name)
    }) as typeof this.query
  }
}
