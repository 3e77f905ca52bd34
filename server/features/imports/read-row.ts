import { NOT_BIRTH_DATE_OF_CNP } from '../../../shared/birth-dates.ts'
import {
  type ImportField,
  REQUIRED_IMPORT_FIELDS,
  type RowProblem,
  type RowProblemCode,
} from '../../../shared/imports/patient-imports.ts'
import { CHANNEL_NAMES, CHANNELS } from '../../../shared/patients.ts'
import { parseCnp } from '../../../shared/romania/cnp.ts'
import { COUNTIES } from '../../../shared/romania/counties.ts'
import { capitaliseName, foldText } from '../../../shared/romania/names.ts'
import { UserError } from '../../errors.ts'
import { readPatientInput } from '../patients/patient-input.ts'
import { findLostCnpDigits, findLostPhoneDigits, readDay, readSex } from './read-values.ts'

export type PatientValues = ReturnType<typeof readPatientInput>
export type ReadRow = { values: PatientValues; problems: null } | { values: null; problems: RowProblem[] }

type Input = Partial<Record<ImportField, string | null>>

/** Returns a problem as it is stored. */
export const problem = (
  code: RowProblemCode,
  message: string,
  field: ImportField | null = null,
): RowProblem => ({ code, field, message })

/** Reads a row by the rules of the form, as table columns, or returns everything that is wrong with it. */
export function readRow(cells: readonly string[], columns: readonly (ImportField | null)[]): ReadRow {
  const input: Input = {}
  const problems: RowProblem[] = []
  columns.forEach((field, place) => {
    const text = cells[place]?.trim()
    if (!field || !text) return
    const { value, found } = readValue(field, text)
    input[field] = value
    if (found) problems.push(found)
  })
  problems.push(...findContradictions(input))
  try {
    const values = readPatientInput(input)
    return problems.length > 0 ? { values: null, problems } : { values, problems: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const invalid = error.fields.map(({ field, message }) =>
      problem('invalid', message, field as ImportField),
    )
    return { values: null, problems: [...problems, ...invalid] }
  }
}

type Value = { value: string | null; found?: RowProblem | null }

/** Returns the value for the form; null with a problem of its own where the form would not understand it. */
function readValue(field: ImportField, text: string): Value {
  switch (field) {
    case 'surname':
    case 'givenNames':
    case 'previousSurname':
      return { value: capitaliseName(text) }
    case 'cnp':
      return ifWhole(text, findLostCnpDigits(text), field)
    case 'phone':
      return ifWhole(text, findLostPhoneDigits(text), field)
    case 'birthDate': {
      const { day, unclear } = readDay(text)
      if (unclear) return { value: null, found: problem('unclear-date', unclear, field) }
      const found = day ? null : problem('invalid', 'Data nașterii nu este o dată validă.', field)
      return { value: day, found }
    }
    case 'sex': {
      const sex = readSex(text)
      return { value: sex, found: sex ? null : problem('invalid', 'Sexul se scrie M sau F.', field) }
    }
    case 'preferredChannel': {
      const channel = CHANNELS.find((each) => foldText(CHANNEL_NAMES[each]) === foldText(text))
      const names = Object.values(CHANNEL_NAMES).join(', ')
      const found = channel ? null : problem('invalid', `Canalul preferat este unul dintre: ${names}.`, field)
      return { value: channel ?? null, found }
    }
    case 'county': {
      const county = findCounty(text)
      const found = county ? null : problem('invalid', `Județul „${text.slice(0, 40)}” nu există.`, field)
      return { value: county, found }
    }
    default:
      return { value: text }
  }
}

/** Returns the county with this name or code, as files write them: `jud. Cluj`, `CJ`, `Municipiul București`. */
function findCounty(text: string): string | null {
  const fold = (words: string) => foldText(words).replaceAll('-', ' ')
  const said = fold(text)
    .replace(/^(judetul|judet|jud|municipiul|mun)[. ]+/, '')
    .replace(/^(bucuresti,? )?sector(ul)? [1-6]$/, 'bucuresti')
  return COUNTIES.find(({ name, code }) => fold(name) === said || fold(code) === said)?.name ?? null
}

const ifWhole = (text: string, lost: string | null, field: ImportField): Value =>
  lost ? { value: null, found: problem('lost-digits', lost, field) } : { value: text }

/** In the form the CNP decides; in a file another birth date or sex shows that one of the two is wrong. */
function findContradictions({ cnp, birthDate, sex }: Input): RowProblem[] {
  const stated = cnp ? parseCnp(cnp) : null
  if (!stated?.ok) return []
  const differs = (value: string | null | undefined, own: string | null) =>
    value !== null && value !== undefined && own !== null && value !== own
  return [
    ...(differs(birthDate, stated.birthDate)
      ? [problem('contradicts-cnp', NOT_BIRTH_DATE_OF_CNP, 'birthDate')]
      : []),
    ...(differs(sex, stated.sex) ? [problem('contradicts-cnp', 'Sexul nu este cel din CNP.', 'sex')] : []),
  ]
}

export const hasRequiredFields = (columns: readonly (ImportField | null)[]): boolean =>
  REQUIRED_IMPORT_FIELDS.every((field) => columns.includes(field))
