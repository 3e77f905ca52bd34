import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** One page of a list: `limit` rows after the row whose sort columns have the values `after`; null: the first page. */
export type PageRequest = { limit: number; after: readonly string[] | null }

/** The sort columns of a list with the types that a cursor's values are cast to, and the direction of all of them. */
export type KeysetOrder = {
  by: Readonly<Record<string, 'timestamptz' | 'uuid' | 'bigint' | 'text'>>
  direction: 'asc' | 'desc'
}

/**
 * Returns the query in this order, from `after` on, with one row more than the page, which only says that more follow.
 * The comparison of whole rows reads an index on the same columns no further than the page.
 */
export function keyset<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, direction }: KeysetOrder,
  { limit, after }: PageRequest,
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
  return page.limit(limit + 1)
}
