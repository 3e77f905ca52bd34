import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { namePrefix } from '../../../../shared/romania/names.ts'
import type { Db } from '../../../platform/database/database.ts'

/** Candidates read for each reason; further ones are not compared. */
const MAX_CANDIDATES = 300

/** A spelling of a word of the surname, and of a word of the given names. */
export type WordPair = readonly [string, string]

/**
 * Returns the ids of patients that may be the described person, whose names are not compared yet: with the
 * birth date, with the phone, and with two words of the name if either birth date is unknown. Each is a
 * bounded index range.
 */
export async function selectCandidates(
  db: Db,
  sought: { wordPairs: readonly WordPair[]; birthDate: string | null; phone: string | null },
): Promise<string[]> {
  const { wordPairs, birthDate, phone } = sought
  const ranges: RawBuilder<unknown>[] = []
  const live = sql<SqlBool>`deleted_at is null and merged_into is null`
  if (phone !== null) {
    ranges.push(sql`(select id from patient where phone = ${phone} and ${live}
      order by id limit ${sql.lit(MAX_CANDIDATES)})`)
  }
  if (birthDate !== null) {
    ranges.push(sql`(select id from patient where birth_date = ${birthDate}::date and ${live}
      order by name_key limit ${sql.lit(MAX_CANDIDATES)})`)
  }
  for (const pair of wordPairs) {
    const [first, second] = [...pair].sort() as [string, string]
    ranges.push(sql`(select patient.id from (
        select patient_id from patient_name_pair
        where first_prefix = ${namePrefix(first)} and second_prefix = ${namePrefix(second)}
          and first_word = ${first} and second_word = ${second}
        order by name_key, patient_id limit ${sql.lit(MAX_CANDIDATES)}
      ) as named join patient on patient.id = named.patient_id
      where ${live} ${birthDate === null ? sql`` : sql`and birth_date is null`})`)
  }
  if (ranges.length === 0) return []
  const { rows } = await sql<{ id: string }>`${sql.join(ranges, sql` union `)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the patients that staff have declared other people than this one. */
export async function selectDistinctIds(db: Db, patientId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('patient_distinct')
    .select('other_id as id')
    .where('patient_id', '=', patientId)
    .unionAll(db.selectFrom('patient_distinct').select('patient_id as id').where('other_id', '=', patientId))
    .execute()
  return rows.map(({ id }) => id)
}

/** Remembers that the two patients are different people. */
export function insertDistinct(db: Db, patientId: string, otherId: string, createdBy: string) {
  const [patient_id, other_id] = [patientId, otherId].sort() as [string, string]
  return db
    .insertInto('patient_distinct')
    .values({ patient_id, other_id, created_by: createdBy })
    .onConflict((on) => on.columns(['patient_id', 'other_id']).doNothing())
    .execute()
}
