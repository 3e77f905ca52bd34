import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { namePrefix } from '../../../../shared/romania/names.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Placeholders, staticQuery } from '../../../platform/database/static-query.ts'
import { type PatientRow, patients } from '../patients.db.ts'

/** Candidates read for each reason; further ones are not compared. */
const MAX_CANDIDATES = 300

/** A spelling of a word of the surname, and of a word of the given names. */
export type WordPair = readonly [string, string]

/** A person to compare with all patients; `line` identifies it among several. */
export type Sought = {
  line: number
  wordPairs: readonly WordPair[]
  birthDate: string | null
  phone: string | null
  cnp: string | null
}

const toJson = (sought: readonly Sought[]): string =>
  JSON.stringify(
    sought.map(({ line, wordPairs, birthDate, phone, cnp }) => {
      const pairs = wordPairs.map((pair) => {
        const [first, second] = [...pair].sort() as [string, string]
        return { first, second, first_prefix: namePrefix(first), second_prefix: namePrefix(second) }
      })
      return { line, pairs, birth_date: birthDate, phone, cnp }
    }),
  )

/**
 * Selects for each person, by its line, the ids of patients that may be the same one, whose names are not compared yet: with the
 * birth date, with the phone, and with two words of the name if either birth date is unknown; without those of another CNP. Each
 * is a bounded index range; `offset 0` keeps the planner from reading all patients for a join, which it plans for `people`.
 */
function candidates(sought: RawBuilder<string>, people: RawBuilder<unknown> = sql`all`) {
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
  return sql`
    with sought as materialized (
      select * from json_to_recordset(${sought}::json)
        as row(line int, pairs json, birth_date date, phone text, cnp text) limit ${people}
    )
    select sought.line, same_phone.id from sought cross join lateral (
      select id from patient where phone = sought.phone and ${live} order by id limit ${limit}) same_phone
    union
    select sought.line, same_day.id from sought cross join lateral (
      select id from patient where birth_date = sought.birth_date and ${live}
      order by name_key limit ${limit}) same_day
    union
    (${named(sql`true`)} where sought.birth_date is null)
    union
    (${named(sql`birth_date is null`)} where sought.birth_date is not null and ${hasUndated})`
}

/** Returns for each person the patients that may be the same one, whose names are not compared yet. */
export async function selectCandidatesOfMany(db: Db, sought: readonly Sought[]) {
  const { rows } = await sql<{
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
    select found.line, patient.* from (${candidates(sql.val(toJson(sought)))}) found cross join lateral (
      select id, surname, given_names, previous_surname, birth_date, phone, cnp, name_key
      from patient where id = found.id offset 0) patient`.execute(db)
  return rows
}

const candidatesOfOne = staticQuery((db, slot: Placeholders<{ sought: string; ownId: string | null }>) => {
  const [one, other] = [
    sql`least(found.id, ${slot('ownId')}::uuid)`,
    sql`greatest(found.id, ${slot('ownId')}::uuid)`,
  ]
  return patients(db, { kind: 'all' }).where(sql<SqlBool>`patient.id = any(array(
    select id from (${candidates(slot('sought'), sql.lit(1))}) found
    where id is distinct from ${slot('ownId')}::uuid
      and not exists (select from patient_distinct where patient_id = ${one} and other_id = ${other})))`)
})

/**
 * Returns the patients that may be this person, whose names are not compared yet, without the patient `ownId` and those that
 * staff have declared other people than this one.
 */
export const selectCandidates = (
  db: Db,
  sought: Omit<Sought, 'line'>,
  ownId: string | null,
): Promise<PatientRow[]> => candidatesOfOne(db, { sought: toJson([{ line: 0, ...sought }]), ownId })

/** Remembers that the two patients are different people. */
export function insertDistinct(db: Db, patientId: string, otherId: string, createdBy: string) {
  const [patient_id, other_id] = [patientId, otherId].sort() as [string, string]
  return db
    .insertInto('patient_distinct')
    .values({ patient_id, other_id, created_by: createdBy })
    .onConflict((on) => on.columns(['patient_id', 'other_id']).doNothing())
    .execute()
}
