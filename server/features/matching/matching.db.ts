import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Candidate, Candidates } from './match-document.ts'

/** What the candidates of a document are found by. */
export type Wanted = {
  cnps: readonly string[]
  accessions: readonly string[]
  birthDates: readonly string[]
  /** Dates that a typing error makes of the birth date. */
  nearDates: readonly string[]
  /** Words of the names, folded. */
  words: readonly string[]
}

/** Patients read for the birth dates of a document, and for the dates that are near. */
const MAX_BORN = 100
const MAX_NEAR = 50
const MAX_NUMBERED = 10

type Row = Candidate & {
  document: number
  found_by: 'cnp' | 'born' | 'near' | 'accession'
  accession: string | null
}

/** Writes a word as `LOOSE_NAME` does, so that both spellings of â and î are equal: Târgu, Tîrgu. */
const loosen = (word: string): string => word.replaceAll('i', 'a')
const LOOSE_NAME = sql`translate(patient.name_key, 'i{|', 'a')`

const PERSON = sql`patient.id, patient.number, patient.surname, patient.given_names, patient.previous_surname, patient.cnp, patient.birth_date`
const LIVE = sql`patient.deleted_at is null and patient.merged_into is null`

/** How many of the document's words are in the name; the previous surname is not in the key. */
const countWords = sql`(select count(*) from unnest(wanted.words) word where position(word in ${LOOSE_NAME}) > 0)`

/**
 * Returns for each document the patients with its CNPs, with its accession numbers, and those born on its birth dates whose
 * names have one of its words; on near dates two. Each part is an index range with a limit.
 */
export async function selectCandidates(db: Db, documents: readonly Wanted[]): Promise<Candidates[]> {
  const wanted = documents.map(({ words, ...each }, document) => ({
    document,
    ...each,
    words: [...new Set(words.map(loosen))],
  }))
  const { rows } = await sql<Row>`
    select wanted.document, found.* from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (
        document integer, cnps text[], accessions text[], "birthDates" date[], "nearDates" date[], words text[])
      cross join lateral (
        (select ${PERSON}, 'cnp' as found_by, null as accession from patient
          where patient.cnp = any(wanted.cnps) and patient.cnp is not null and ${LIVE} limit ${MAX_NUMBERED}::int)
        union all
        (select ${PERSON}, 'accession', upload.accession_number from upload join patient on patient.id = upload.patient_id
          where upload.accession_number = any(wanted.accessions) and upload.accession_number is not null
            and upload.deleted_at is null and upload.state in ('accepted', 'released') and ${LIVE}
          limit ${MAX_NUMBERED}::int)
        union all
        (select ${PERSON}, 'born', null from patient
          where patient.birth_date = any(wanted."birthDates") and patient.birth_date is not null and ${LIVE}
            and (patient.previous_surname is not null or ${countWords} > 0)
          limit ${MAX_BORN + 1}::int)
        union all
        (select ${PERSON}, 'near', null from patient
          where patient.birth_date = any(wanted."nearDates") and patient.birth_date is not null and ${LIVE}
            and ${countWords} > 1
          limit ${MAX_NEAR + 1}::int)
      ) found`.execute(db)
  const byDocument = Map.groupBy(rows, ({ document }) => document)
  return documents.map((_document, index) => toCandidates(byDocument.get(index) ?? []))
}

function toCandidates(rows: readonly Row[]): Candidates {
  const people = new Map<string, Candidate>()
  const accessions = new Map<string, string[]>()
  for (const { document: _document, found_by: _foundBy, accession, ...person } of rows) {
    people.set(person.id, person)
    if (accession === null) continue
    const owners = accessions.get(accession) ?? []
    accessions.set(accession, owners.includes(person.id) ? owners : [...owners, person.id])
  }
  const count = (part: Row['found_by']) => rows.filter(({ found_by }) => found_by === part).length
  const isCut = count('born') > MAX_BORN || count('near') > MAX_NEAR || count('accession') >= MAX_NUMBERED
  return { people: [...people.values()], accessions, isCut }
}

const MAX_DUPLICATES = 10
const MAX_INSTANCES = 100

export type DuplicateRow = { upload_id: string; file_id: string; kind: 'bytes' | 'instance' }

/**
 * Returns files of an upload that other uploads have too: the same bytes, or images with the same instance number; for each
 * other upload one file.
 */
export const selectDuplicates = async (db: Db, uploadId: string): Promise<DuplicateRow[]> => {
  const { rows } = await sql<DuplicateRow>`
    with mine as (select id, sha256 from file where upload_id = ${uploadId}::uuid and removed_at is null),
    same_bytes as (
      select other.upload_id, mine.id as file_id, 'bytes' as kind from mine cross join lateral (
        select upload_id from file where file.sha256 = mine.sha256 and file.upload_id <> ${uploadId}::uuid
          and file.removed_at is null limit ${MAX_DUPLICATES}::int) other),
    same_instance as (
      select other.upload_id, stated.file_id, 'instance' as kind from (
        select file_fact.file_id, file_fact.value from mine join file_fact on file_fact.file_id = mine.id
        where file_fact.kind = 'instance' limit ${MAX_INSTANCES}::int) stated
      cross join lateral (
        select file.upload_id from file_fact join file on file.id = file_fact.file_id
        where file_fact.kind = 'instance' and file_fact.value = stated.value
          and file.upload_id <> ${uploadId}::uuid and file.removed_at is null and file.scan_result <> 'pending'
        limit ${MAX_DUPLICATES}::int) other)
    select distinct on (upload_id) upload_id, file_id, kind
    from (select * from same_bytes union all select * from same_instance) found
    order by upload_id, kind limit ${MAX_DUPLICATES}::int`.execute(db)
  return rows
}

/** Other uploads named for one file, and instance numbers by which they are searched. */
const MAX_COPIES_OF_FILE = 3
const MAX_INSTANCES_OF_FILE = 10

/**
 * Returns for each file of an upload that was not checked yet the uploads that have it too and were submitted: with the same
 * bytes, or with an image of the same instance number. Withdrawn ones are not filed.
 */
export const selectFiledCopies = async (db: Db, uploadId: string): Promise<DuplicateRow[]> => {
  const isFiled = sql`upload.deleted_at is null and upload.state not in ('receiving', 'withdrawn')`
  const { rows } = await sql<DuplicateRow>`
    select mine.id as file_id, copy.upload_id, copy.kind
    from file mine cross join lateral (
      select distinct on (found.upload_id) found.upload_id, found.kind from (
        (select file.upload_id, 'bytes' as kind from file join upload on upload.id = file.upload_id
          where file.sha256 = mine.sha256 and file.upload_id <> mine.upload_id and file.removed_at is null
            and ${isFiled} limit ${MAX_COPIES_OF_FILE}::int)
        union all
        (select other.upload_id, 'instance' from (
            select value from file_fact where file_id = mine.id and kind = 'instance'
            limit ${MAX_INSTANCES_OF_FILE}::int) stated
          cross join lateral (
            select file.upload_id from file_fact join file on file.id = file_fact.file_id
              join upload on upload.id = file.upload_id
            where file_fact.kind = 'instance' and file_fact.value = stated.value and file.upload_id <> mine.upload_id
              and file.removed_at is null and file.scan_result <> 'pending' and ${isFiled}
            limit ${MAX_COPIES_OF_FILE}::int) other)
      ) found order by found.upload_id, found.kind limit ${MAX_COPIES_OF_FILE}::int) copy
    where mine.upload_id = ${uploadId}::uuid and mine.removed_at is null and mine.scan_result = 'pending'
    order by mine.position`.execute(db)
  return rows
}

/** The beginning of a document, which has its title. */
const HEADING_LETTERS = 2_000

/** Returns the names of an upload's files with the beginning of their text, and with what their check found. */
export const selectHeadings = (db: Db, uploadId: string) =>
  db
    .selectFrom('file')
    .leftJoin('file_reading', 'file_reading.file_id', 'file.id')
    .select([
      'name',
      sql<
        string | null
      >`left(coalesce(file.content_text, file_reading.content_text), ${HEADING_LETTERS}::int)`.as('heading'),
      sql<boolean>`coalesce(file_reading.inspection->'facts', file.facts::json)->>'factsCut' is not null`.as(
        'is_cut',
      ),
    ])
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()

const MAX_INSTITUTIONS = 1_000

/** Returns the active institutions; with a patient, those with a referral of the patient that has not ended. */
export const selectInstitutions = (db: Db, patientId: string | null) =>
  db
    .selectFrom('institution')
    .select(['id', 'name', 'short_name', 'code'])
    .where('suspended_at', 'is', null)
    .$if(patientId !== null, (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('referral')
          .select('institution_id')
          .where('patient_id', '=', patientId)
          .where('ended_at', 'is', null),
      ),
    )
    .orderBy('name_key')
    .limit(MAX_INSTITUTIONS)
    .execute()

export type InstitutionToMatch = Awaited<ReturnType<typeof selectInstitutions>>[number]
