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

/** A person to compare with all patients; `line` identifies it among several. */
export type Sought = {
  line: number
  wordPairs: readonly WordPair[]
  birthDate: string | null
  phone: string | null
  cnp: string | null
}

/**
 * Returns for each person the patients that `selectCandidates` finds, without those of another CNP. `offset 0` keeps the
 * planner from reading all patients for a join: every step is a look-up in an index.
 */
export async function selectCandidatesOfMany(db: Db, sought: readonly Sought[]) {
  const rows = sought.map(({ line, wordPairs, birthDate, phone, cnp }) => {
    const pairs = wordPairs.map((pair) => {
      const [first, second] = [...pair].sort() as [string, string]
      return { first, second, first_prefix: namePrefix(first), second_prefix: namePrefix(second) }
    })
    return { line, pairs, birth_date: birthDate, phone, cnp }
  })
  const live = sql<SqlBool>`patient.deleted_at is null and patient.merged_into is null
    and (sought.cnp is null or patient.cnp is null)`
  const limit = sql.lit(MAX_CANDIDATES)
  const named = (condition: RawBuilder<SqlBool>) => sql`
    select sought.line, person.id from sought
      cross join lateral json_to_recordset(sought.pairs)
        as pair(first text, second text, first_prefix text, second_prefix text)
      cross join lateral (
        select patient_id from patient_name_pair as entry
        where entry.first_prefix = pair.first_prefix and entry.second_prefix = pair.second_prefix
          and entry.first_word = pair.first and entry.second_word = pair.second
        order by entry.name_key, entry.patient_id limit ${limit}) named
      cross join lateral (
        select id from patient where id = named.patient_id and ${live} and ${condition} offset 0) person`
  // Many organisations know the birth date of every patient.
  const hasUndated = sql<SqlBool>`exists (
    select from patient where birth_date is null and deleted_at is null and merged_into is null)`
  const { rows: found } = await sql<{
    line: number
    id: string
    surname: string
    given_names: string
    previous_surname: string | null
    birth_date: string | null
    phone: string | null
    cnp: string | null
    name_key: string
  }>`
    with sought as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as row(line int, pairs json, birth_date date, phone text, cnp text)
    ), found as (
      select sought.line, same_phone.id from sought cross join lateral (
        select id from patient where phone = sought.phone and ${live} order by id limit ${limit}) same_phone
      union
      select sought.line, same_day.id from sought cross join lateral (
        select id from patient where birth_date = sought.birth_date and ${live}
        order by name_key limit ${limit}) same_day
      union
      (${named(sql`true`)} where sought.birth_date is null)
      union
      (${named(sql`birth_date is null`)} where sought.birth_date is not null and ${hasUndated})
    )
    select found.line, patient.* from found cross join lateral (
      select id, surname, given_names, previous_surname, birth_date, phone, cnp, name_key
      from patient where id = found.id offset 0) patient`.execute(db)
  return found
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
