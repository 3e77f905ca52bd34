import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type NamedPatient, pairRows } from '../patients.db.ts'

/** Returns up to where names have all entries, locked until the transaction ends; undefined if all have. */
export const lockNameIndexing = (db: Db) =>
  db.selectFrom('name_indexing').selectAll().forUpdate().executeTakeFirst()

/** Locks the next patients until the transaction ends, so that no name changes before its entries are written. */
export const lockPatientsToIndex = (
  db: Db,
  { done_to, last_id }: { done_to: string; last_id: string },
  limit: number,
): Promise<NamedPatient[]> =>
  db
    .selectFrom('patient')
    .select(['id', 'name_key', 'surname', 'given_names', 'previous_surname'])
    .where('id', '>', done_to)
    .where('id', '<=', last_id)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()

/** Adds the entries that these patients lack. */
export async function addNamePairs(db: Db, patients: readonly NamedPatient[]): Promise<void> {
  const { rows } = await sql<{ patient_id: string; words: string[] }>`
    select patient_id, array_agg(first_word) as words from patient_name_pair
    where patient_id = any(${patients.map(({ id }) => id)}::uuid[]) and second_prefix = ''
    group by patient_id`.execute(db)
  const known = new Map(rows.map(({ patient_id, words }) => [patient_id, new Set(words)]))
  const added = patients.flatMap((patient) =>
    pairRows(patient).filter(({ first_word, second_word }) =>
      [first_word, second_word].some((word) => word !== '' && !known.get(patient.id)?.has(word)),
    ),
  )
  await sql`insert into patient_name_pair
    select * from json_populate_recordset(null::patient_name_pair, ${JSON.stringify(added)})`.execute(db)
}

/** Records up to where names have all entries; null: all have. */
export async function updateNameIndexing(db: Db, doneTo: string | null): Promise<void> {
  if (doneTo === null) await db.deleteFrom('name_indexing').execute()
  else await db.updateTable('name_indexing').set({ done_to: doneTo }).execute()
}
