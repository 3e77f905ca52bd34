import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/**
 * A page of a list: `limit` rows after the row whose sort columns have the values `after`; null is the first
 * page.
 */
export type PageRequest = { limit: number; after: readonly string[] | null }

/**
 * The sort columns of a list, each with the type that a cursor's value is cast to, and their common
 * direction.
 */
export type KeysetOrder = {
  by: Readonly<Record<string, 'timestamptz' | 'uuid' | 'bigint' | 'text'>>
  direction: 'asc' | 'desc'
}

/**
 * Returns the query in this order, starting after `after`, with one row more than the page: that row shows
 * whether another page follows.
 */
export const keyset = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: KeysetOrder,
  { limit, after }: PageRequest,
): SelectQueryBuilder<DB, TB, Row> => keysetRows(query, order, { rows: limit + 1, after })

/** A page whose values may be placeholders of a static query. */
export type KeysetRows = {
  rows: number | RawBuilder<number>
  after: readonly (string | RawBuilder<string>)[] | null
}

/**
 * Returns the query in this order, the first rows after `after`. The row comparison lets PostgreSQL read an index on these
 * columns no further than the page.
 */
export function keysetRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, direction }: KeysetOrder,
  { rows, after }: KeysetRows,
): SelectQueryBuilder<DB, TB, Row> {
  const columns = Object.keys(by)
  let page = query
  if (after !== null) {
    const values = Object.values(by).map((type, at) => sql`${after[at]}::${sql.raw(type)}`)
    const compared = sql.raw(direction === 'asc' ? '>' : '<')
    page = page.where(
      sql<SqlBool>`(${sql.join(columns.map((column) => sql.ref(column)))}) ${compared} (${sql.join(values)})`,
    )
  }
  for (const column of columns) page = page.orderBy(sql.ref(column), direction)
  return page.limit(rows)
}
