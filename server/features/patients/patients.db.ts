import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { namePairs } from '../../../shared/romania/names.ts'
import { batchRows } from '../../platform/database/batcher.ts'
import type { Db } from '../../platform/database/database.ts'
import { startOfDay } from '../../platform/database/days.sql.ts'
import { type Placeholders, staticQueries, staticQuery } from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { type KeysetOrder, keysetRows, type PageRequest } from '../../platform/keyset.ts'
import type { PatientScope } from './patients.access.ts'

export const COLUMNS = [
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

type Columns = readonly (typeof COLUMNS)[number][]

/** The columns of what tables of patients show, and of the cursor. */
const LINE_COLUMNS: Columns = [
  'patient.id',
  'patient.number',
  'patient.surname',
  'patient.given_names',
  'patient.cnp',
  'patient.birth_date',
  'patient.phone',
  'patient.locality',
  'patient.created_at',
]

const FOUND_LINE_COLUMNS: Columns = [
  ...LINE_COLUMNS,
  'patient.previous_surname',
  'patient.sex',
  'patient.name_key',
]

/** Returns the columns of patients that a search finds: also those of the reasons and of the cursor. */
export const foundColumns = (shown: Shown): Columns => (shown === 'line' ? FOUND_LINE_COLUMNS : COLUMNS)

export type PatientExpression = ExpressionBuilder<DB, 'patient'>

export const institutionsOf = (scope: PatientScope): readonly string[] =>
  scope.kind === 'referred' ? scope.institutionIds : []

/** Returns the condition for the patients that an actor may read, which every query includes. */
export const visible = (scope: PatientScope) => (eb: PatientExpression) =>
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

/** Selects patients. With fewer `columns` the others are undefined, although the type has them. */
export const patients = (db: Db, scope: PatientScope, columns: Columns = COLUMNS) =>
  db.selectFrom('patient').select(columns).where(visible(scope))

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

const byIds = staticQuery((db, slot: Placeholders<{ ids: readonly string[] }>) =>
  patients(db, { kind: 'all' }).where(sql<SqlBool>`patient.id = any(${slot('ids')}::uuid[])`),
)

/** Returns a patient to a reader of all patients; concurrent requests share a statement. */
export const loadPatient = batchRows(
  (db: Db, ids: readonly string[]): Promise<PatientRow[]> => byIds(db, { ids }),
  (id) => id,
  ({ id }) => id,
)

export const selectPatientByCnp = (db: Db, scope: PatientScope, cnp: string) =>
  patients(db, scope).where('patient.cnp', '=', cnp).executeTakeFirst()

export const selectPatientsByCnps = (db: Db, scope: PatientScope, cnps: readonly string[]) =>
  patients(db, scope).where(sql<SqlBool>`patient.cnp = any(${cnps}::text[])`).execute()

const NEWEST: KeysetOrder = {
  by: { 'patient.created_at': 'timestamptz', 'patient.id': 'uuid' },
  direction: 'desc',
}

/** What is read of the patients of a list: what tables of patients show, or everything. */
export type Shown = 'line' | 'whole'

type NewestValues = { rows: number; createdAt: string; id: string }

const newestOfAll = staticQueries(
  (shape: `${'first' | 'later'} ${Shown}`) => (db: Db, slot: Placeholders<NewestValues>) =>
    keysetRows(patients(db, { kind: 'all' }, shape.endsWith('line') ? LINE_COLUMNS : COLUMNS), NEWEST, {
      rows: slot('rows'),
      after: shape.startsWith('first') ? null : [slot('createdAt'), slot('id')],
    }),
)

/** Returns the newest patients first. */
export function selectNewestPatients(
  db: Db,
  scope: PatientScope,
  page: PageRequest,
  shown: Shown = 'whole',
): Promise<PatientRow[]> {
  const rows = page.limit + 1
  if (scope.kind === 'all') {
    const [createdAt = '', id = ''] = page.after ?? []
    return newestOfAll(`${page.after ? 'later' : 'first'} ${shown}`)(db, { rows, createdAt, id })
  }
  return patients(db, scope, shown === 'line' ? LINE_COLUMNS : COLUMNS)
    .where(isAmongNewest(db, scope, page))
    .orderBy('patient.id', 'desc')
    .limit(rows)
    .execute()
}

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

/** A patient with what its search entries are made of. */
export type NamedPatient = {
  id: string
  name_key: string
  surname: string
  given_names: string
  previous_surname: string | null
}

/** Rewrites the patient's search entries, which include the previous surname. */
export async function replaceNamePairs(db: Db, patient: NamedPatient): Promise<void> {
  await db.deleteFrom('patient_name_pair').where('patient_id', '=', patient.id).execute()
  const rows = pairRows(patient)
  if (rows.length > 0) await db.insertInto('patient_name_pair').values(rows).execute()
}

export function pairRows(patient: NamedPatient) {
  return namePairs([patient.surname, patient.given_names, patient.previous_surname ?? '']).map((pair) => ({
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

const referrals = (db: Db) =>
  db
    .selectFrom('referral')
    .innerJoin('institution', 'institution.id', 'referral.institution_id')
    .select([
      'referral.id',
      'referral.patient_id',
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
    .orderBy('referral.created_at', 'desc')

export const selectReferrals = (
  db: Db,
  scope: PatientScope,
  patientId: string,
  institutionIds: readonly string[] | null,
) =>
  referrals(db)
    .where('referral.patient_id', '=', patientId)
    .$if(scope.kind !== 'all', (query) =>
      query
        .where(sql<SqlBool>`referral.institution_id = any(${institutionsOf(scope)}::uuid[])`)
        .where('referral.mistaken', '=', false),
    )
    .$if(institutionIds !== null, (query) =>
      query.where(sql<SqlBool>`referral.institution_id = any(${institutionIds ?? []}::uuid[])`),
    )
    .execute()

export type ReferralRow = Awaited<ReturnType<typeof selectReferrals>>[number]

const referralsByPatients = staticQuery((db, slot: Placeholders<{ ids: readonly string[] }>) =>
  referrals(db).where(sql<SqlBool>`referral.patient_id = any(${slot('ids')}::uuid[])`),
)

/** Returns a patient's referrals to a reader of all patients; concurrent requests share a statement. */
export const loadReferrals = batchRows(
  (db: Db, ids: readonly string[]): Promise<ReferralRow[]> => referralsByPatients(db, { ids }),
  (patientId) => patientId,
  ({ patient_id }) => patient_id,
)

type NewReferral = {
  id: string
  patient_id: string
  institution_id: string
  doctor: string | null
  referred_on: string | null
  number: string | null
  created_by: string
  /** The patient whose CNP was stated; null: a person chose the patient. */
  granted_for: string | null
}

export const insertReferral = (db: Db, referral: NewReferral) => insertReferrals(db, [referral])

export const insertReferrals = (db: Db, referrals: readonly NewReferral[]) =>
  db.insertInto('referral').values(referrals).execute()

/**
 * Returns, by CNP, whose it is among these patients and those who were merged into them: a survivor may have it only of someone
 * merged into it.
 */
export const selectOwnersOfCnps = async (
  db: Db,
  patientIds: readonly string[],
  cnps: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('patient')
    .select(['id', 'cnp'])
    .where(
      sql<SqlBool>`reverse(cnp) collate "C" = any(${cnps.map((cnp) => [...cnp].reverse().join(''))}::text[])`,
    )
    .where('cnp', 'is not', null)
    .where(sql<SqlBool>`coalesce(surviving_patient(id), id) = any(${patientIds}::uuid[])`)
    .where(sql<SqlBool>`not exists (select from patient earlier where earlier.merged_into = patient.id
      and reverse(earlier.cnp) collate "C" = reverse(patient.cnp))`)
    .execute()
  return new Map(rows.map(({ id, cnp }) => [cnp!, id]))
}

/**
 * Returns the patient's referrals that the CNP of the other one has granted, who was merged into the patient until now, or that
 * of someone merged into the other.
 */
export const selectReferralIdsGrantedFor = (db: Db, patientId: string, otherId: string) =>
  db
    .selectFrom('referral')
    .select('id')
    .where('patient_id', '=', patientId)
    .where(sql<SqlBool>`coalesce(surviving_patient(granted_for), granted_for) = ${otherId}::uuid`)
    .execute()

/** Returns the ids of the patient's referrals since then for which no CNP was stated. */
export const selectReferralIdsChosenSince = (db: Db, patientId: string, since: Date) =>
  db
    .selectFrom('referral')
    .select('id')
    .where('patient_id', '=', patientId)
    .where('created_at', '>=', since)
    .where('granted_for', 'is', null)
    .execute()

/** Returns the patient of a referral, also of one that is mistaken. */
export const selectReferralPatient = (db: Db, id: string) =>
  db.selectFrom('referral').select('patient_id').where('id', '=', id).executeTakeFirst()

/** Returns the moment of an end on that day: now for today, else the end of the day. */
const endOfDay = (day: string, now: Date) =>
  sql<Date>`least(${now}::timestamptz, ${startOfDay(day, 1)} - interval '1 ms')`

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
