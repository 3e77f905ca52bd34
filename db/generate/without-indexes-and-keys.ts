import { sql } from 'kysely'
import type { Db } from '../../server/platform/database/database.ts'

type SchemaObject = { drop: string; make: string }

/**
 * Drops the indexes and the foreign and unique keys of these tables, runs `load`, and creates them again from
 * their own definitions, so that an index is sorted once and a key checked for all rows at once. Needs a
 * transaction, so that no other connection sees the tables without them. Throws where a row violates a key.
 */
export async function withoutIndexesAndKeys(
  tx: Db,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const keys = await sql<SchemaObject>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype in ('f', 'u') and conrelid = any(${tables}::regclass[])
    order by contype desc, conname`.execute(tx)
  const indexes = await sql<SchemaObject>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index where indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by indexrelid::regclass::text`.execute(tx)
  const dropped = [...indexes.rows, ...keys.rows]
  for (const { drop } of dropped) await sql.raw(drop).execute(tx)
  await load()
  for (const { make } of dropped) await sql.raw(make).execute(tx)
}
