import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Counts the rows of a query, which has a limit: no further ones are read. */
export async function countRows<DB, TB extends keyof DB, Row>(
  db: Db,
  limited: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const { count } = await db
    .selectFrom(limited.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
