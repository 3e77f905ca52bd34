import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Marks the position of a value in a compiled query. */
class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** Returns the placeholder of a named value, for a query that is built before its values are known. */
export type Placeholders<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

/**
 * Returns a query that is compiled at its first use only; each run fills in its values. For queries of nearly
 * every request, where compiling takes longer than sending. The text of the query must not depend on its
 * values.
 */
export function staticQuery<Values extends object, Row>(
  build: (db: Db, slot: Placeholders<Values>) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, (name) => sql.val(new Placeholder(name)) as never).compile()
    const fill = (value: unknown) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: compiled.parameters.map(fill) })
    return rows
  }
}
