import { parseEmail } from '../../../shared/email.ts'
import { IMPORT_FIELDS, type ImportField } from '../../../shared/imports/patient-imports.ts'
import { parseCnp } from '../../../shared/romania/cnp.ts'
import { foldText } from '../../../shared/romania/names.ts'
import { parsePhone } from '../../../shared/romania/phone.ts'
import { readDay, readSex } from './read-values.ts'

/** The headings of each field, without diacritics and punctuation. */
const HEADINGS: Readonly<Record<ImportField, RegExp>> = {
  surname: /^(nume|numele|nume( de)? familie|nume pacient|surname|last name|family name)$/,
  givenNames: /^(prenume|prenumele|prenume pacient|given names?|first names?)$/,
  cnp: /^(cnp|cnp pacient|cod numeric personal)$/,
  birthDate: /^(data( de)? nasterii?|nascuta?( la)?|data n|birth ?date|date of birth|dob)$/,
  sex: /^(sex|sexul|gen|genul|gender)$/,
  phone: /^((nr|numar)( de)? )?(telefon|telefonul|tel|mobil|gsm|phone)( mobil)?$/,
  email: /^((adresa( de)? )?e ?mail|mail)$/,
  previousSurname: /^(nume(le)? anterior|nume(le)?( la| de)? nastere|nume de fata)$/,
  county: /^(judet|judetul|county)$/,
  locality: /^(localitate|localitatea|oras|orasul|city)$/,
  address: /^(adresa|adresa (de )?domiciliu|domiciliu|strada|address)$/,
  preferredChannel: /^(canal(ul)? preferat)$/,
  notes: /^(note|nota|observatii|mentiuni|notes)$/,
}
/** Fields that their values show, in the order in which they are tried. */
const BY_CONTENT: readonly (readonly [ImportField, (value: string) => boolean])[] = [
  ['cnp', (value) => parseCnp(value).ok],
  ['email', (value) => parseEmail(value) !== null],
  ['birthDate', (value) => readDay(value).day !== null],
  ['phone', (value) => parsePhone(value).ok],
  ['sex', (value) => readSex(value) !== null],
]
/** The part of a column's values that shows its field. */
const MIN_PART = 1 / 2

/** Whether the first row is a person rather than headings: a heading is no CNP and no date. */
export const isPerson = (cells: readonly string[]): boolean =>
  cells.some((cell) => parseCnp(cell).ok || readDay(cell).day !== null)

/** Returns the field of each column by its heading, or else by its values; each field once, null for other columns. */
export function matchColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  count: number,
): (ImportField | null)[] {
  const columns: (ImportField | null)[] = Array(count).fill(null)
  const isFree = (field: ImportField) => !columns.includes(field)
  headings.forEach((heading, place) => {
    const text = foldText(heading)
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
    columns[place] = IMPORT_FIELDS.find((field) => isFree(field) && HEADINGS[field].test(text)) ?? null
  })
  for (const [field, isValue] of BY_CONTENT) {
    const place = columns.findIndex((found, column) => found === null && holds(rows, column, isValue))
    if (place >= 0 && isFree(field)) columns[place] = field
  }
  return columns
}

function holds(
  rows: readonly (readonly string[])[],
  column: number,
  isValue: (value: string) => boolean,
): boolean {
  const values = rows.map((cells) => cells[column] ?? '').filter((value) => value !== '')
  return values.length > 0 && values.filter(isValue).length > values.length * MIN_PART
}
