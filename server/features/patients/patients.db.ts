import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '../../../db/types.generated.ts'
import { keySpellings, namePairs, namePrefix, queryWords } from '../../../shared/names.ts'
import type { PageRequest } from '../../graphql/connections.ts'
import type { Db } from '../../platform/database.ts'
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

/** The patients that an actor may see at all, as a condition that every query carries. */
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
            .where(
              sql<SqlBool>`referral.institution_id = any(${scope.kind === 'referred' ? scope.institutionIds : []}::uuid[])`,
            ),
        ),
  ])

const patients = (db: Db, scope: PatientScope) =>
  db.selectFrom('patient').select(COLUMNS).where(visible(scope))

export type PatientRow = NonNullable<Awaited<ReturnType<typeof selectPatient>>>

export const selectPatient = (db: Db, scope: PatientScope, id: string) =>
  patients(db, scope).where('patient.id', '=', id).executeTakeFirst()

export const selectPatientByCnp = (db: Db, scope: PatientScope, cnp: string) =>
  patients(db, scope).where('patient.cnp', '=', cnp).executeTakeFirst()

/** Newest first. */
export const selectNewestPatients = (db: Db, scope: PatientScope, { limit, after }: PageRequest) =>
  patients(db, scope)
    .$if(after !== null, (query) =>
      query.where(
        sql<SqlBool>`(patient.created_at, patient.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('patient.created_at', 'desc')
    .orderBy('patient.id', 'desc')
    .limit(limit + 1)
    .execute()

/** By phone, patient number, or a part of the CNP from its front or its end. */
export const selectPatientsByDigits = (
  db: Db,
  scope: PatientScope,
  { digits, phone }: { digits: string; phone: string | null },
  { limit, after }: PageRequest,
) =>
  patients(db, scope)
    .where((eb) =>
      eb.or([
        eb('patient.cnp', 'like', `${digits}%`),
        sql<SqlBool>`reverse(patient.cnp) collate "C" like ${`${[...digits].reverse().join('')}%`}`,
        ...(digits.length <= 10 ? [eb('patient.number', '=', Number(digits))] : []),
        ...(phone ? [eb('patient.phone', '=', phone)] : []),
      ]),
    )
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(patient.name_key, patient.id) > (${after?.[0]}, ${after?.[1]}::uuid)`),
    )
    .orderBy('patient.name_key')
    .orderBy('patient.id')
    .limit(limit + 1)
    .execute()

const LETTERS_FOR_PAIRS = 3

/** Whether a word of the name, but the first, begins so, with or without its diacritics. */
const keyHasWord = (word: string) => (eb: PatientExpression) =>
  eb.or(keySpellings(word).map((spelling) => eb('patient.name_key', 'like', `% ${spelling}%`)))

/**
 * By the beginnings of any words of the name, in any order; answers in the order of names. The two longest words choose
 * the entries of the pairs table (one word: its lone entries; only short ones: the beginning of the surname), which
 * stand in the order of the answer, so that a page reads about as many entries as it shows. Other words are checked.
 */
export function selectPatientsByName(
  db: Db,
  scope: PatientScope,
  text: string,
  { limit, after }: PageRequest,
) {
  const words = queryWords(text).slice(0, 6)
  const long = words.filter((word) => word.length >= LETTERS_FOR_PAIRS).sort((a, b) => b.length - a.length)
  const [first = '', second = ''] = long.slice(0, 2).sort()
  const rest = words.filter((word) => word !== first && word !== second)

  let matches = db
    .selectFrom('patient_name_pair as pair')
    .select(['pair.name_key', 'pair.patient_id'])
    .distinct()
    .orderBy('pair.name_key')
    .orderBy('pair.patient_id')
  if (long.length >= 2) {
    const inOrder = (a: string, b: string) =>
      sql<SqlBool>`(pair.first_word like ${`${a}%`} and pair.second_word like ${`${b}%`})`
    const samePrefix = namePrefix(first) === namePrefix(second)
    matches = matches
      .where('pair.first_prefix', '=', namePrefix(first))
      .where('pair.second_prefix', '=', namePrefix(second))
      .where(
        samePrefix
          ? sql<SqlBool>`(${inOrder(first, second)} or ${inOrder(second, first)})`
          : inOrder(first, second),
      )
  } else if (long.length === 1) {
    matches = matches
      .where('pair.first_prefix', '=', namePrefix(first))
      .where('pair.second_prefix', '=', '')
      .where('pair.first_word', 'like', `${first}%`)
  }
  for (const word of rest) {
    matches = matches.where(
      sql<SqlBool>`exists (
        select from patient_name_pair other
        where other.patient_id = pair.patient_id and other.second_prefix = '' and other.first_word like ${`${word}%`})`,
    )
  }

  if (long.length === 0) {
    const [start = '', ...others] = words
    // Each spelling is a range of the index that stands in the order of the answer; all of them at once would be read whole.
    const ranges = keySpellings(start).map((spelling) =>
      others
        .reduce((query, word) => query.where(keyHasWord(word)), patients(db, scope))
        .clearSelect()
        .select('patient.id')
        .where('patient.name_key', 'like', `${spelling}%`)
        .$if(after !== null, (q) =>
          q.where(sql<SqlBool>`(patient.name_key, patient.id) > (${after?.[0]}, ${after?.[1]}::uuid)`),
        )
        .orderBy('patient.name_key')
        .orderBy('patient.id')
        .limit(limit + 1),
    )
    return patients(db, scope)
      .where(sql<SqlBool>`patient.id = any(array(${sql.join(ranges, sql` union all `)}))`)
      .orderBy('patient.name_key')
      .orderBy('patient.id')
      .limit(limit + 1)
      .execute()
  }
  const page = matches
    .innerJoin('patient', 'patient.id', 'pair.patient_id')
    .where(visible(scope) as never)
    .$if(after !== null, (q) =>
      q.where(sql<SqlBool>`(pair.name_key, pair.patient_id) > (${after?.[0]}, ${after?.[1]}::uuid)`),
    )
    .limit(limit + 1)
  return db
    .with('page', () => page)
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

/** Undefined where the version is no longer the stored one. */
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
    .returning(COLUMNS)
    .executeTakeFirst()

/** Writes what the patient is found by anew; the previous surname counts. */
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
  const name = [patient.surname, patient.given_names, patient.previous_surname ?? ''].join(' ')
  const rows = namePairs(name).map((pair) => ({
    patient_id: patient.id,
    name_key: patient.name_key,
    first_prefix: pair.firstPrefix,
    second_prefix: pair.secondPrefix,
    first_word: pair.firstWord,
    second_word: pair.secondWord,
  }))
  if (rows.length > 0) await db.insertInto('patient_name_pair').values(rows).execute()
}

export const selectReferrals = (db: Db, patientId: string, institutionIds: readonly string[] | null) =>
  db
    .selectFrom('referral')
    .innerJoin('institution', 'institution.id', 'referral.institution_id')
    .select([
      'referral.id',
      'referral.doctor',
      'referral.referred_on',
      'referral.number',
      'referral.created_at',
      'referral.institution_id',
      'institution.name as institution_name',
      sql<boolean>`institution.suspended_at is not null`.as('institution_suspended'),
    ])
    .where('referral.patient_id', '=', patientId)
    .$if(institutionIds !== null, (query) =>
      query.where(sql<SqlBool>`referral.institution_id = any(${institutionIds ?? []}::uuid[])`),
    )
    .orderBy('referral.created_at', 'desc')
    .execute()

export type ReferralRow = Awaited<ReturnType<typeof selectReferrals>>[number]

export const insertReferral = (
  db: Db,
  referral: {
    id: string
    patient_id: string
    institution_id: string
    doctor: string | null
    referred_on: string | null
    number: string | null
    created_by: string
  },
) => db.insertInto('referral').values(referral).execute()
