import { mayHaveExecuted } from './database.ts'

/** Milliseconds after which nobody waits for a call that may hang. */
const CALL_TIMEOUT_MS = 1_000
/** Items of one call. */
const MAX_BATCH_ITEMS = 500

/**
 * Makes one call of many: `run` is called for what is asked in the same breath, as by all rows of a list, and everything that
 * is asked while it is under way (or for a second of it) goes together in its next call, so that a busy server sends the
 * database one statement where it had sent ten. Answers stand in the order of the items. Where a call of several is refused, each of them is tried by itself:
 * nobody's question fails for another's. Where the connection breaks they all fail: what it had carried may have been done.
 */
export function coalesce<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (item: Item) => Promise<Answer> {
  type Asked = { item: Item } & PromiseWithResolvers<Answer>
  const waiting: Asked[] = []
  let running = false

  const settle = async (requested: readonly Asked[]): Promise<void> => {
    try {
      const responses = await run(requested.map(({ item }) => item))
      for (const [at, { resolve }] of requested.entries()) resolve(responses[at]!)
    } catch (error) {
      if (requested.length > 1 && !mayHaveExecuted(error))
        await Promise.all(requested.map((one) => settle([one])))
      else for (const { reject } of requested) reject(error)
    }
  }

  const runAll = async (): Promise<void> => {
    running = true
    await null
    while (waiting.length > 0) {
      const requested = waiting.splice(0, MAX_BATCH_ITEMS)
      const tooLong = Promise.withResolvers<void>()
      const timer = setTimeout(tooLong.resolve, CALL_TIMEOUT_MS).unref()
      await Promise.race([settle(requested), tooLong.promise])
      clearTimeout(timer)
    }
    running = false
  }

  return (item) => {
    const requested = { item, ...Promise.withResolvers<Answer>() }
    waiting.push(requested)
    if (!running) void runAll()
    return requested.promise
  }
}

/** One such call for each pool of connections. */
export function batchPerPool<Pool extends object, Item, Answer>(
  run: (pool: Pool, items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (pool: Pool, item: Item) => Promise<Answer> {
  const collected = new WeakMap<Pool, (item: Item) => Promise<Answer>>()
  return (pool, item) => {
    const known = collected.get(pool) ?? coalesce<Item, Answer>((items) => run(pool, items))
    collected.set(pool, known)
    return known(item)
  }
}

/**
 * The rows that belong to each item, as the fields of many rows ask for theirs, gathered for each pool. `keyOfItem` and
 * `keyOfRow` say which belong together. Answers the rows of an item in the order in which they were loaded. Where a call is
 * refused, it is to all of its items: ids of rows are not what a statement breaks on.
 */
export function batchRows<Pool extends object, Item, Row>(
  load: (pool: Pool, items: readonly Item[]) => Promise<readonly Row[]>,
  keyOfItem: (item: Item) => string,
  keyOfRow: (row: Row) => string,
): (pool: Pool, item: Item) => Promise<Row[]> {
  return batchPerPool(async (pool, items) => {
    const rows = load(pool, items).then((found) => Map.groupBy(found, keyOfRow))
    // Each item has its own refusal, so that none is tried again by itself.
    await rows.catch(() => undefined)
    return items.map(async (item) => (await rows).get(keyOfItem(item)) ?? [])
  })
}
