import { sql } from 'kysely'
import { makeUser } from '../../db/factories.ts'
import { findPatients } from '../../server/features/matching/find-patients.ts'
import type { PatientMatch } from '../../server/features/matching/match-document.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { nameKey } from '../../shared/romania/names.ts'
import { generateDocuments, type TestDocument } from './documents.ts'
import { generatePeople, type Person } from './people.ts'

export type Measurement = {
  patients: number
  documents: number
  /** Documents for which a patient who is not theirs was `sure`. */
  wrong: string[]
  /** How many documents have the patient's own CNP, and how many of them were `sure`. */
  byCnp: { documents: number; sure: number }
  byName: { documents: number; sure: number }
  confidences: Record<PatientMatch['confidence'], number>
  /** `likely` and `conflict` that list the person. */
  listed: number
  /** Milliseconds of the processor that this process needed for a document, its queries sent and read. */
  millisecondsEach: number
}

const AT_ONCE = 100
const ROWS_AT_ONCE = 2_000

/** Writes people of this seed as patients, matches documents of theirs through the real queries, and counts the results. */
export async function measureMatching(db: Db, seed: string): Promise<Measurement> {
  const people = generatePeople(seed)
  const ids = people.map(() => newId())
  await insertPeople(db, people, ids)
  const documents = generateDocuments(seed, people)
  const matches: PatientMatch[] = []
  const start = process.cpuUsage()
  for (let from = 0; from < documents.length; from += AT_ONCE) {
    const part = documents.slice(from, from + AT_ONCE)
    matches.push(
      ...(await findPatients(
        db,
        part.map(({ facts }) => facts),
      )),
    )
  }
  const { user, system } = process.cpuUsage(start)
  const millisecondsEach = (user + system) / 1_000 / documents.length
  return { ...summarize(people, ids, documents, matches), millisecondsEach }
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

/** Returns the results as the table of docs/matching.md has them. */
export function describeMeasurement(measured: Measurement): string {
  const { patients, documents, wrong, byCnp, byName, confidences, listed } = measured
  const rows = [
    ['patients', patients],
    ['documents', documents],
    ['`sure`', confidences.sure],
    ['`sure` of the wrong patient', wrong.length],
    [
      "`sure` of those with the patient's own CNP",
      `${percent(byCnp.sure, byCnp.documents)} of ${byCnp.documents}`,
    ],
    [
      '`sure` of those with name and birth date, without a CNP',
      `${percent(byName.sure, byName.documents)} of ${byName.documents}`,
    ],
    ['`likely`', confidences.likely],
    ['`conflict`', confidences.conflict],
    ['`none`', confidences.none],
    ['`likely` or `conflict` that list the right patient', listed],
  ]
  return [
    '| documents of seed 1 | |',
    '| --- | --- |',
    ...rows.map(([what, count]) => `| ${what} | ${count} |`),
  ].join('\n')
}

async function insertPeople(db: Db, people: readonly Person[], ids: readonly string[]): Promise<void> {
  const patients = people.flatMap((person) =>
    person.isRegistered
      ? [
          {
            id: ids[person.n],
            surname: person.surname,
            given_names: person.givenNames,
            previous_surname: person.previousSurname,
            cnp: person.hasCnp ? person.cnp : null,
            birth_date: person.birthDate,
            sex: person.sex,
            name_key: nameKey(`${person.surname} ${person.givenNames}`),
            accession: person.accession,
          },
        ]
      : [],
  )
  const user = await makeUser(db)
  for (let from = 0; from < patients.length; from += ROWS_AT_ONCE) {
    const part = JSON.stringify(patients.slice(from, from + ROWS_AT_ONCE))
    const rows = sql`jsonb_to_recordset(${part}::jsonb) as person (id uuid, surname text, given_names text,
      previous_surname text, cnp text, birth_date date, sex text, name_key text, accession text)`
    await sql`insert into patient (id, surname, given_names, previous_surname, cnp, birth_date, sex, name_key)
      select id, surname, given_names, previous_surname, cnp, birth_date, sex, name_key from ${rows}`.execute(
      db,
    )
    await sql`insert into upload (id, patient_id, title, accession_number, source, state, created_by)
      select gen_random_uuid(), id, 'Ecografie', accession, 'staff', 'released', ${user.id}::uuid
      from ${rows} where accession is not null`.execute(db)
  }
  await sql`analyze patient, upload`.execute(db)
}

function summarize(
  people: readonly Person[],
  ids: readonly string[],
  documents: readonly TestDocument[],
  matches: readonly PatientMatch[],
): Omit<Measurement, 'millisecondsEach'> {
  const wrong: string[] = []
  const byCnp = { documents: 0, sure: 0 }
  const byName = { documents: 0, sure: 0 }
  const confidences = { sure: 0, likely: 0, none: 0, conflict: 0 }
  let listed = 0
  for (const [index, { facts, person, hasOwnCnp, hasNameAndBirthDate, how }] of documents.entries()) {
    const { confidence, patients } = matches[index]!
    const id = ids[person.n]
    const isSure = confidence === 'sure'
    confidences[confidence] += 1
    if (isSure && (patients[0]!.person.id !== id || !person.isRegistered)) {
      const other = people[ids.indexOf(patients[0]!.person.id)]!
      const stated = facts.map(({ kind, value }) => `${kind} ${value}`).join(', ')
      wrong.push(
        `${person.surname} ${person.givenNames} ${person.birthDate} (${how}: ${stated}) → ${JSON.stringify(other)}`,
      )
    }
    if (!isSure && patients.some((each) => each.person.id === id)) listed += 1
    if (!person.isRegistered) continue
    if (hasOwnCnp) byCnp.documents += 1
    if (hasOwnCnp && isSure) byCnp.sure += 1
    if (hasNameAndBirthDate) byName.documents += 1
    if (hasNameAndBirthDate && isSure) byName.sure += 1
  }
  const patients = people.filter(({ isRegistered }) => isRegistered).length
  return { patients, documents: documents.length, wrong, byCnp, byName, confidences, listed }
}
