import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { keySpellings, NAME_PREFIX, namePairs, queryWords } from '../../../shared/romania/names.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { type KeysetOrder, keyset, type PageRequest } from '../../platform/keyset.ts'
import { findPrefixRanges, MAX_WORDS, matchName } from './patient-names.sql.ts'
import type { PatientScope } from './patients.access.ts'

const COLUMNS = [
  'patient.id',
  'patient.number',
  'patient.surname',
  'patient.given_names',
  'patient.previous_surname',
  'patient.cnp',
  'patient.birth_date',
  'patient.sex',
  'patient.phone',
  'patient.email',
  'patient.county',
  'patient.locality',
  'patient.address',
  'patient.preferred_channel',
  'patient.notes',
  'patient.name_key',
  'patient.version',
  'patient.created_at',
  'patient.updated_at',
] as const

type PatientExpression = ExpressionBuilder<DB, 'patient'>

const institutionsOf = (scope: PatientScope): readonly string[] =>
  scope.kind === 'referred' ? scope.institutionIds : []

/** Returns the condition for the patients that an actor may read, which every query includes. */
const visible = (scope: PatientScope) => (eb: PatientExpression) =>
  eb.and([
    eb('patient.deleted_at', 'is', null),
    eb('patient.merged_into', 'is', null),
    scope.kind === 'all'
      ? eb.lit(true)
      : eb.exists(
          eb
            .selectFrom('referral')
            .whereRef('referral.patient_id', '=', 'patient.id')
            .where(sql<SqlBool>`referral.institution_id = any(${institutionsOf(scope)}::uuid[])`)
            .where('referral.mistaken', '=', false),
        ),
  ])

const patients = (db: Db, scope: PatientScope) =>
  db.selectFrom('patient').select(COLUMNS).where(visible(scope))

export type PatientRow = NonNullable<Awaited<ReturnType<typeof selectPatient>>>

export const selectPatient = (db: Db, scope: PatientScope, id: string) =>
  patients(db, scope).where('patient.id', '=', id).executeTakeFirst()

/**
 * Returns the patient that the patient with this id was merged into, through any number of merges; undefined if
 * it was not merged.
 */
export const selectSurvivor = (db: Db, scope: PatientScope, mergedId: string) =>
  patients(db, scope)
    .where('patient.id', '=', sql<string>`surviving_patient(${mergedId}::uuid)`)
    .executeTakeFirst()

export const selectPatientsById = (db: Db, scope: PatientScope, ids: readonly string[]) =>
  patients(db, scope).where(sql<SqlBool>`patient.id = any(${ids}::uuid[])`).execute()

export const selectPatientByCnp = (db: Db, scope: PatientScope, cnp: string) =>
  patients(db, scope).where('patient.cnp', '=', cnp).executeTakeFirst()

export const selectPatientsByCnps = (db: Db, scope: PatientScope, cnps: readonly string[]) =>
  patients(db, scope).where(sql<SqlBool>`patient.cnp = any(${cnps}::text[])`).execute()

/** Returns the newest patients first. */
export const selectNewestPatients = (db: Db, scope: PatientScope, page: PageRequest) =>
  scope.kind === 'referred'
    ? patients(db, scope)
        .where(isAmongNewest(db, scope, page))
        .orderBy('patient.id', 'desc')
        .limit(page.limit + 1)
        .execute()
    : keyset(
        patients(db, scope),
        { by: { 'patient.created_at': 'timestamptz', 'patient.id': 'uuid' }, direction: 'desc' },
        page,
      ).execute()

const BY_NAME: KeysetOrder = { by: { 'patient.name_key': 'text', 'patient.id': 'uuid' }, direction: 'asc' }

/**
 * Whether a patient is among the newest of those referred by these institutions. Ids begin with their time of
 * creation, so each institution's referrals are indexed in the order of the result and only one page of them
 * is read.
 */
function isAmongNewest(db: Db, scope: PatientScope, { limit, after }: PageRequest) {
  const ranges = institutionsOf(scope).map((institutionId) =>
    db
      .selectFrom('referral')
      .innerJoin('patient', 'patient.id', 'referral.patient_id')
      .select('referral.patient_id')
      .distinct()
      .where('referral.institution_id', '=', institutionId)
      .where('referral.mistaken', '=', false)
      .where('patient.deleted_at', 'is', null)
      .where('patient.merged_into', 'is', null)
      .$if(after !== null, (query) => query.where('referral.patient_id', '<', after?.[1] ?? ''))
      .orderBy('referral.patient_id', 'desc')
      .limit(limit + 1),
  )
  return ranges.length === 0
    ? sql<SqlBool>`false`
    : sql<SqlBool>`patient.id = any(array(${sql.join(ranges, sql` union all `)}))`
}

/**
 * Whether the patient was referred; `offset 0` looks up the patient's referral, not all referrals of an
 * institution.
 */
const isReferredTo = (institutionIds: readonly string[]) =>
  sql<SqlBool>`exists (
    select from referral where referral.patient_id = patient.id
      and referral.institution_id = any(${institutionIds}::uuid[]) and not referral.mistaken offset 0)`

/** Matches read for each kind of number; one more shows that there are more. */
const MAX_DIGIT_MATCHES = 1_000

/**
 * Returns patients by phone (only for staff), by number, or by the first or last digits of the CNP. Matches
 * are read by index before they are sorted, at most a thousand of each kind; `is_cut` in each row says that
 * there are more.
 */
export function selectPatientsByDigits(
  db: Db,
  scope: PatientScope,
  { digits, phone }: { digits: string; phone: string | null },
  page: PageRequest,
) {
  const fromFront = sql<string>`patient.cnp`
  const fromEnd = sql<string>`reverse(patient.cnp) collate "C"`
  const conditions: { condition: Expression<SqlBool>; order: Expression<unknown> }[] = [
    { condition: sql`${fromFront} like ${`${digits}%`}`, order: fromFront },
    { condition: sql`${fromEnd} like ${`${[...digits].reverse().join('')}%`}`, order: fromEnd },
    ...(digits.length <= 10
      ? [{ condition: sql<SqlBool>`patient.number = ${Number(digits)}`, order: sql`patient.id` }]
      : []),
    // A phone number is hidden from institutions, so a search must not confirm one either.
    ...(phone && scope.kind === 'all'
      ? [{ condition: sql<SqlBool>`patient.phone = ${phone}`, order: sql`patient.id` }]
      : []),
  ]
  const kinds = conditions.map(({ condition, order }) =>
    db
      .selectFrom('patient')
      .select('patient.id')
      .where('patient.deleted_at', 'is', null)
      .where('patient.merged_into', 'is', null)
      .$if(scope.kind !== 'all', (query) => query.where(isReferredTo(institutionsOf(scope))))
      .where(condition)
      // In a fixed order, so that each page reads the same thousand.
      .orderBy(order)
      .limit(MAX_DIGIT_MATCHES + 1),
  )
  const arrays = kinds.map((kind) => sql`select array(${kind})`)
  return db
    .with('named(ids)', () => sql<{ ids: string[] }>`(${sql.join(arrays, sql` union all `)})`)
    .selectFrom('patient')
    .select(COLUMNS)
    .where(visible(scope) as never)
    .select(
      sql<boolean>`(select bool_or(cardinality(ids) > ${sql.lit(MAX_DIGIT_MATCHES)}) from named)`.as(
        'is_cut',
      ),
    )
    .where(sql<SqlBool>`patient.id = any(array(select unnest(ids) from named))`)
    .$call((query) => keyset(query, BY_NAME, page))
    .execute()
}

/** Whether a word of the name other than the first begins with `word`, with or without its diacritics. */
const keyHasWord = (word: string) => (eb: PatientExpression) =>
  eb.or(keySpellings(word).map((spelling) => eb('patient.name_key', 'like', `% ${spelling}%`)))

/**
 * Returns patients by the beginnings of any words of the name, in any order; if all words are short, by the
 * beginning of the surname. Sorted by name. The entries are indexed in this order, so a page reads about as
 * many entries as it shows; for a long and a short word (`ion po`) this holds for each prefix, and each
 * prefix gives one page.
 */
export function selectPatientsByName(db: Db, scope: PatientScope, text: string, page: PageRequest) {
  const words = queryWords(text).slice(0, MAX_WORDS)
  if (words.every((word) => word.length < NAME_PREFIX)) {
    const [start = '', ...others] = words
    // Each spelling is an index range in the order of the result; one condition for all would be read whole.
    const ranges = keySpellings(start).map((spelling) =>
      keyset(
        others
          .reduce((query, word) => query.where(keyHasWord(word)), patients(db, scope))
          .clearSelect()
          .select('patient.id')
          .where('patient.name_key', 'like', `${spelling}%`),
        BY_NAME,
        page,
      ),
    )
    return keyset(
      patients(db, scope).where(sql<SqlBool>`patient.id = any(array(${sql.join(ranges, sql` union all `)}))`),
      BY_NAME,
      page,
    ).execute()
  }
  const entries = keyset(
    matchName(db, words)
      .select(['pair.name_key', 'pair.patient_id'])
      .distinct()
      .innerJoin('patient', 'patient.id', 'pair.patient_id')
      .where(visible(scope) as never),
    { by: { 'pair.name_key': 'text', 'pair.patient_id': 'uuid' }, direction: 'asc' },
    page,
  )
  const prefixRanges = findPrefixRanges(words)
  const found =
    prefixRanges === null
      ? entries
      : db
          .withRecursive('part(prefix)', () => prefixRanges.prefixes as never)
          .selectFrom('part')
          .innerJoinLateral(
            entries.where(sql<SqlBool>`${sql.ref(prefixRanges.column)} = part.prefix`).as('entry'),
            (join) => join.onTrue(),
          )
          .select(['entry.name_key', 'entry.patient_id'])
          .distinct()
          .orderBy('entry.name_key')
          .orderBy('entry.patient_id')
          .limit(page.limit + 1)
  return db
    .with('page', () => found)
    .selectFrom('page')
    .innerJoin('patient', 'patient.id', 'page.patient_id')
    .select(COLUMNS)
    .orderBy('page.name_key')
    .orderBy('page.patient_id')
    .execute()
}

type NewPatient = {
  id: string
  surname: string
  given_names: string
  name_key: string
} & Partial<Record<Exclude<(typeof EDITABLE)[number], 'surname' | 'given_names'>, string | null>>

export const EDITABLE = [
  'surname',
  'given_names',
  'previous_surname',
  'cnp',
  'birth_date',
  'sex',
  'phone',
  'email',
  'county',
  'locality',
  'address',
  'preferred_channel',
  'notes',
] as const

export const insertPatient = (db: Db, patient: NewPatient) =>
  db
    .insertInto('patient')
    .values(patient as never)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Returns undefined if `version` is no longer the stored version. */
export const updatePatientRow = (
  db: Db,
  id: string,
  version: number,
  now: Date,
  values: Partial<NewPatient>,
) =>
  db
    .updateTable('patient')
    .set({ ...(values as object), updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('merged_into', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst()

/** Rewrites the patient's search entries, which include the previous surname. */
export async function replaceNamePairs(
  db: Db,
  patient: {
    id: string
    name_key: string
    surname: string
    given_names: string
    previous_surname: string | null
  },
): Promise<void> {
  await db.deleteFrom('patient_name_pair').where('patient_id', '=', patient.id).execute()
  const rows = pairRows(patient)
  if (rows.length > 0) await db.insertInto('patient_name_pair').values(rows).execute()
}

function pairRows(patient: Parameters<typeof replaceNamePairs>[1]) {
  const name = [patient.surname, patient.given_names, patient.previous_surname ?? ''].join(' ')
  return namePairs(name).map((pair) => ({
    patient_id: patient.id,
    name_key: patient.name_key,
    first_prefix: pair.firstPrefix,
    second_prefix: pair.secondPrefix,
    first_word: pair.firstWord,
    second_word: pair.secondWord,
  }))
}

const NEW_COLUMNS = ['id', 'name_key', ...EDITABLE] as const

/** Inserts many patients with their search entries; throws the violation of the unique CNP. */
export async function insertPatients(
  db: Db,
  rows: readonly (NewPatient & { previous_surname: string | null })[],
): Promise<void> {
  await db
    .insertInto('patient')
    .columns(NEW_COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom(
          sql<DB['patient']>`json_populate_recordset(null::patient, ${JSON.stringify(rows)})`.as('row'),
        )
        .select(NEW_COLUMNS),
    )
    .execute()
  await sql`insert into patient_name_pair
    select * from json_populate_recordset(null::patient_name_pair, ${JSON.stringify(rows.flatMap(pairRows))})`.execute(
    db,
  )
}

/** Returns the referrals of these patients to one institution: whether each is open. */
export const selectReferralsTo = (db: Db, institutionId: string, patientIds: readonly string[]) =>
  db
    .selectFrom('referral')
    .select(['patient_id', sql<boolean>`ended_at is null`.as('is_open')])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('institution_id', '=', institutionId)
    .execute()

export const selectReferrals = (
  db: Db,
  scope: PatientScope,
  patientId: string,
  institutionIds: readonly string[] | null,
) =>
  db
    .selectFrom('referral')
    .innerJoin('institution', 'institution.id', 'referral.institution_id')
    .select([
      'referral.id',
      'referral.doctor',
      'referral.referred_on',
      'referral.number',
      'referral.created_at',
      'referral.version',
      'referral.mistaken',
      sql<string | null>`(referral.ended_at at time zone 'Europe/Bucharest')::date`.as('ended_on'),
      'referral.institution_id',
      'institution.name as institution_name',
      sql<boolean>`institution.suspended_at is not null`.as('institution_suspended'),
    ])
    .where('referral.patient_id', '=', patientId)
    .$if(scope.kind !== 'all', (query) =>
      query
        .where(sql<SqlBool>`referral.institution_id = any(${institutionsOf(scope)}::uuid[])`)
        .where('referral.mistaken', '=', false),
    )
    .$if(institutionIds !== null, (query) =>
      query.where(sql<SqlBool>`referral.institution_id = any(${institutionIds ?? []}::uuid[])`),
    )
    .orderBy('referral.created_at', 'desc')
    .execute()

export type ReferralRow = Awaited<ReturnType<typeof selectReferrals>>[number]

type NewReferral = {
  id: string
  patient_id: string
  institution_id: string
  doctor: string | null
  referred_on: string | null
  number: string | null
  created_by: string
}

export const insertReferral = (db: Db, referral: NewReferral) => insertReferrals(db, [referral])

export const insertReferrals = (db: Db, referrals: readonly NewReferral[]) =>
  db.insertInto('referral').values(referrals).execute()

/** Returns the patient of a referral, also of one that is mistaken. */
export const selectReferralPatient = (db: Db, id: string) =>
  db.selectFrom('referral').select('patient_id').where('id', '=', id).executeTakeFirst()

/** Returns the moment of an end on that day: now for today, else the end of the day. */
const endOfDay = (day: string, now: Date) =>
  sql<Date>`least(${now}::timestamptz, (${day}::date + 1)::timestamp at time zone 'Europe/Bucharest' - interval '1 ms')`

/**
 * Changes a referral; a former end on the same day keeps its moment. Returns undefined if `version` is no longer the
 * stored version.
 */
export const updateReferralRow = (
  db: Db,
  id: string,
  version: number,
  now: Date,
  { ended_on, ...values }: ReferralValues,
) =>
  db
    .updateTable('referral')
    .set({
      ...values,
      ended_at:
        ended_on === null
          ? null
          : sql<Date>`case when (ended_at at time zone 'Europe/Bucharest')::date = ${ended_on}::date
              then ended_at else ${endOfDay(ended_on, now)} end`,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

export type ReferralValues = Pick<
  ReferralRow,
  'institution_id' | 'doctor' | 'referred_on' | 'number' | 'ended_on' | 'mistaken'
>

const MERGE_LOCK = sql.lit('dosar.patient_merge')

export const lockMergesForShare = (db: Db) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${MERGE_LOCK}, 0))`.execute(db)

export const lockMergesExclusively = (db: Db) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${MERGE_LOCK}, 0))`.execute(db)

/**
 * Not with `for update`, which a check of a foreign key waits for: a verdict that has locked its upload and
 * changes it twice would wait for a merge, which waits for the upload.
 */
export const lockPatientRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('patient')
    .select([...COLUMNS, 'merged_into', 'deleted_at'])
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const updateMergedInto = (db: Db, id: string, into: string | null, now: Date) =>
  db
    .updateTable('patient')
    .set((eb) => ({ merged_into: into, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const moveReferralRows = (db: Db, from: string, to: string, ids: readonly string[] | null) =>
  db
    .updateTable('referral')
    .set({ patient_id: to })
    .where('patient_id', '=', from)
    .$if(ids !== null, (query) => query.where(sql<SqlBool>`id = any(${ids}::uuid[])`))
    .returning('id')
    .execute()
