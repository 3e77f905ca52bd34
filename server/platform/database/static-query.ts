import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Where a value will stand. */
class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** Stands for a value of this name in a query that is put together before there is one. */
export type Placeholders<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

/**
 * A query that is put together at its first use and never again; afterwards only its values are filled in. For those that
 * (nearly) every request asks: putting one together takes longer than sending it. Its text must not depend on its values.
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
