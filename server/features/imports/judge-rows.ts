import {
  IMPORT_FIELD_NAMES,
  type ImportField,
  type RowChanges,
  type RowProblem,
} from '../../../shared/imports/patient-imports.ts'
import { foldText, queryWords } from '../../../shared/romania/names.ts'
import type { Ctx } from '../../context.ts'
import { compareNames } from '../patients/duplicates/compare-names.ts'
import { findDuplicatesOfMany } from '../patients/duplicates/find-duplicates-of-many.ts'
import { findPatientsById } from '../patients/many/find-patients.ts'
import { findReferralsTo } from '../patients/many/refer-patients.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import type { ImportRow, PersonKey, RowOutcome } from './imports.db.ts'
import { type PatientValues, problem } from './read-row.ts'

/** What is to happen with a row whose values are valid. */
export type Judgement = Omit<RowOutcome, 'line' | keyof PersonKey>

type Terms = Pick<ImportRow, 'overwrites' | 'institution_id'>

const FIELDS = {
  surname: 'surname',
  given_names: 'givenNames',
  previous_surname: 'previousSurname',
  cnp: 'cnp',
  birth_date: 'birthDate',
  sex: 'sex',
  phone: 'phone',
  email: 'email',
  county: 'county',
  locality: 'locality',
  address: 'address',
  preferred_channel: 'preferredChannel',
  notes: 'notes',
} as const satisfies Record<keyof PatientValues, ImportField>
const COLUMNS = Object.keys(FIELDS) as (keyof PatientValues)[]
/** An import fills no name and no CNP: it finds the patient by them. */
const CHANGED = COLUMNS.filter((column) => !['surname', 'given_names', 'cnp'].includes(column))

const NOTHING = { problems: null, changes: null, patient_id: null, same_line: null } as const
export const refuse = (problems: readonly RowProblem[], patient_id: string | null = null): Judgement => ({
  ...NOTHING,
  outcome: 'refused',
  problems,
  patient_id,
})

/** Returns what two rows of one name have in the same order, without accents. */
export const nameWords = ({ surname, given_names }: PatientValues): string =>
  queryWords(`${surname} ${given_names}`).sort().join(' ')

/** Whether two texts are the same for people: accents, case and punctuation do not count. */
const isEqual = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && foldText(one) === foldText(other))

/** Whether the values add nothing: each one that is there is also in the other. */
const adds = (values: PatientValues, other: PatientValues | PatientRow): boolean =>
  CHANGED.some((column) => values[column] !== null && !isEqual(values[column], other[column]))

/** Whether two rows may be of one person, who has one CNP and one birth date. */
function mayBeSame(one: PatientValues, other: PatientValues): boolean {
  const differ = (a: string | null, b: string | null) => a !== null && b !== null && a !== b
  return !differ(one.cnp, other.cnp) && !differ(one.birth_date, other.birth_date)
}

/**
 * Decides about a row with regard to an earlier one of the same file, with the same CNP or the same words of the name; null
 * if they are of different people.
 */
export function judgeRepeated(
  values: PatientValues,
  earlier: { line: number; values: PatientValues },
): Judgement | null {
  const { line } = earlier
  const hasSameCnp = values.cnp !== null && values.cnp === earlier.values.cnp
  if (!hasSameCnp && !mayBeSame(values, earlier.values)) return null
  const isCovered =
    (values.cnp === null || hasSameCnp) &&
    compareNames(values, earlier.values) === 'same' &&
    !adds(values, earlier.values)
  if (isCovered) return { ...NOTHING, outcome: 'same', same_line: line }
  if (hasSameCnp)
    return {
      ...refuse([problem('repeated', `Rândul ${line} are același CNP și alte date.`, 'cnp')]),
      same_line: line,
    }
  return {
    ...NOTHING,
    outcome: 'duplicate',
    problems: [problem('likely-duplicate', `Poate fi aceeași persoană ca pe rândul ${line}.`)],
    same_line: line,
  }
}

/** Decides about a row whose CNP is a patient's. */
function judgeKnown(
  values: PatientValues,
  patient: PatientRow,
  { overwrites, institution_id }: Terms,
  referral: 'open' | 'ended' | undefined,
): Judgement {
  if (compareNames(values, patient) === 'different')
    return refuse(
      [
        problem(
          'other-name',
          'CNP-ul este al unui pacient cu alt nume. Corectează rândul sau fișa pacientului.',
          'cnp',
        ),
      ],
      patient.id,
    )
  if (institution_id && referral === 'ended')
    return refuse(
      [
        problem(
          'referral-ended',
          'Trimiterea pacientului de la această instituție s-a încheiat. Redeschide-o pe fișa pacientului.',
        ),
      ],
      patient.id,
    )
  const given = CHANGED.filter(
    (column) => values[column] !== null && !isEqual(values[column], patient[column]),
  )
  const differing = given.filter((column) => patient[column] !== null)
  if (differing.length > 0 && !overwrites)
    return refuse(
      differing.map((column) =>
        problem(
          'differs',
          `În fișa pacientului câmpul „${IMPORT_FIELD_NAMES[FIELDS[column]]}” are altă valoare.`,
          FIELDS[column],
        ),
      ),
      patient.id,
    )
  const changes: RowChanges = Object.fromEntries(
    given.map((column) => [column, { from: patient[column], to: values[column] }]),
  )
  if (institution_id && !referral) changes.referral = { from: null, to: institution_id }
  const isSame = Object.keys(changes).length === 0
  return {
    ...NOTHING,
    outcome: isSame ? 'same' : 'updated',
    changes: isSame ? null : changes,
    patient_id: patient.id,
  }
}

/** Decides about a row whose CNP, if it has one, no patient has; `likely` are patients who may be the same person. */
function judgeUnknown(
  values: PatientValues,
  likely: readonly PatientRow[],
  { institution_id }: Terms,
  referrals: ReadonlyMap<string, 'open' | 'ended'>,
): Judgement {
  const [first] = likely
  if (!first) return { ...NOTHING, outcome: 'created' }
  const isKnownAlready =
    likely.length === 1 &&
    values.cnp === null &&
    (values.birth_date !== null || values.phone !== null || values.email !== null) &&
    compareNames(values, first) === 'same' &&
    !adds(values, first) &&
    (!institution_id || referrals.get(first.id) === 'open')
  if (isKnownAlready) return { ...NOTHING, outcome: 'same', patient_id: first.id }
  return {
    ...NOTHING,
    outcome: 'duplicate',
    problems: [problem('likely-duplicate', 'Seamănă cu un pacient din evidență.')],
    patient_id: first.id,
  }
}

/**
 * Decides about rows with regard to the patients of the organisation: `known` are those with their CNPs. `isOwn` returns the
 * patients that the import itself has written, which are left out.
 */
export async function judgeByPatients(
  ctx: Ctx,
  terms: Terms,
  rows: readonly { line: number; values: PatientValues }[],
  known: readonly PatientRow[],
  isOwn: (ids: readonly string[]) => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<Map<number, Judgement>> {
  const byCnp = new Map(known.map((patient) => [patient.cnp, patient]))
  const unknown = rows.filter(({ values }) => values.cnp === null || !byCnp.has(values.cnp))
  const found = await findDuplicatesOfMany(
    ctx,
    unknown.map(({ line, values }) => ({ line, person: values })),
  )
  const candidateIds = [...new Set([...found.values()].flat().map(({ id }) => id))]
  const own = await isOwn(candidateIds)
  const likely = await findPatientsById(
    ctx,
    candidateIds.filter((id) => !own.has(id)),
  )
  const byId = new Map(likely.map((patient) => [patient.id, patient]))
  const referrals = terms.institution_id
    ? await findReferralsTo(
        ctx,
        terms.institution_id,
        [...known, ...likely].map(({ id }) => id),
      )
    : new Map<string, 'open' | 'ended'>()
  return new Map(
    rows.map(({ line, values }) => {
      const patient = values.cnp === null ? undefined : byCnp.get(values.cnp)
      if (patient) return [line, judgeKnown(values, patient, terms, referrals.get(patient.id))]
      const candidates = (found.get(line) ?? []).flatMap(({ id }) => byId.get(id) ?? [])
      return [line, judgeUnknown(values, candidates, terms, referrals)]
    }),
  )
}
