/**
 * One query for what the fields of a page ask for at the same time, each for its own row: `load` gets the ids of all of them,
 * `keyOf` says of an answered row whose it is. Answers the rows of one id, in the order in which they were loaded.
 */
export function inBatches<C extends object, Row>(
  load: (ctx: C, ids: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (ctx: C, id: string) => Promise<Row[]> {
  const waiting = new WeakMap<C, { ids: string[]; rows: Promise<Map<string, Row[]>> }>()
  const gather = (ctx: C) => {
    const ids: string[] = []
    // All fields of a list are asked for before the first of them may wait.
    const rows = Promise.resolve()
      .then(() => {
        waiting.delete(ctx)
        return load(ctx, ids)
      })
      .then((found) => Map.groupBy(found, keyOf))
    const batch = { ids, rows }
    waiting.set(ctx, batch)
    return batch
  }
  return async (ctx, id) => {
    const batch = waiting.get(ctx) ?? gather(ctx)
    batch.ids.push(id)
    return (await batch.rows).get(id) ?? []
  }
}
