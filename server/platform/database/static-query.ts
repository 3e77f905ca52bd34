import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Marks the position of a value in a compiled query. */
class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A value, or its place in a static query. */
export type Value<T> = T | RawBuilder<T>

/** Returns the placeholder of a named value, for a query that is built before its values are known. */
export type Placeholders<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

type Build<Values, Row> = (db: Db, slot: Placeholders<Values>) => { compile(): CompiledQuery<Row> }
type Run<Values, Row> = (db: Db, values: Values) => Promise<Row[]>

/**
 * Returns a query that is compiled at its first use only; each run fills in its values. For queries of nearly
 * every request, where compiling takes longer than sending. The text of the query must not depend on its
 * values.
 */
export function staticQuery<Values extends object, Row>(build: Build<Values, Row>): Run<Values, Row> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, (name) => sql.val(new Placeholder(name)) as never).compile()
    const fill = (value: unknown) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: compiled.parameters.map(fill) })
    return rows
  }
}

/** Returns the static query of each shape of a query that has a few, such as the first page of a list and a later one. */
export function staticQueries<Shape extends string, Values extends object, Row>(
  build: (shape: Shape) => Build<Values, Row>,
): (shape: Shape) => Run<Values, Row> {
  const queries = new Map<Shape, Run<Values, Row>>()
  return (shape) => {
    const query = queries.get(shape) ?? staticQuery(build(shape))
    queries.set(shape, query)
    return query
  }
}
