import { mayHaveExecuted } from './database.ts'

/** After this time the next call starts, even if the previous one has not ended. */
const CALL_TIMEOUT_MS = 1_000
/** Items per call. */
const MAX_BATCH_ITEMS = 500

/**
 * Combines many calls into one: items requested in the same tick share a call of `run`, and items requested
 * while `run` works share the next. `run` returns its results in the order of the items. When `run` fails for
 * several items, each is run alone, so that one bad item does not fail the others; after a lost connection
 * all fail, since the work may have been done.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
): (item: Item) => Promise<Result> {
  type Pending = { item: Item } & PromiseWithResolvers<Result>
  const waiting: Pending[] = []
  let running = false

  const runBatch = async (batch: readonly Pending[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at]!)
    } catch (error) {
      if (batch.length > 1 && !mayHaveExecuted(error))
        await Promise.all(batch.map((pending) => runBatch([pending])))
      else for (const { reject } of batch) reject(error)
    }
  }

  const runAll = async (): Promise<void> => {
    running = true
    await null
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH_ITEMS)
      const tooLong = Promise.withResolvers<void>()
      const timer = setTimeout(tooLong.resolve, CALL_TIMEOUT_MS).unref()
      await Promise.race([runBatch(batch), tooLong.promise])
      clearTimeout(timer)
    }
    running = false
  }

  return (item) => {
    const pending = { item, ...Promise.withResolvers<Result>() }
    waiting.push(pending)
    if (!running) void runAll()
    return pending.promise
  }
}

/** Combines calls as `createBatcher` does, separately for each connection pool. */
export function createBatcherPerPool<Pool extends object, Item, Result>(
  run: (pool: Pool, items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
): (pool: Pool, item: Item) => Promise<Result> {
  const runners = new WeakMap<Pool, (item: Item) => Promise<Result>>()
  return (pool, item) => {
    const runner = runners.get(pool) ?? createBatcher<Item, Result>((items) => run(pool, items))
    runners.set(pool, runner)
    return runner(item)
  }
}

/**
 * Loads the rows that belong to each item with one call per pool; rows and items belong together when
 * `keyOfRow` and `keyOfItem` are equal. Resolves to an item's rows in the order in which `load` returned
 * them. When `load` fails, it fails for all items of the call: ids of rows are never the cause, so a retry of
 * each item would not help.
 */
export function batchRows<Pool extends object, Item, Row>(
  load: (pool: Pool, items: readonly Item[]) => Promise<readonly Row[]>,
  keyOfItem: (item: Item) => string,
  keyOfRow: (row: Row) => string,
): (pool: Pool, item: Item) => Promise<Row[]> {
  return createBatcherPerPool(async (pool, items) => {
    const rows = load(pool, items).then((found) => Map.groupBy(found, keyOfRow))
    // Each item gets its own rejected promise, so that `createBatcher` retries none of them alone.
    await rows.catch(() => undefined)
    return items.map(async (item) => (await rows).get(keyOfItem(item)) ?? [])
  })
}
