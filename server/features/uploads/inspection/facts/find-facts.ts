import { findCnps } from '../../../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../../../shared/romania/day.ts'
import { foldText, normaliseText } from '../../../../../shared/romania/names.ts'
import { readDate } from '../../../../../shared/romania/read-date.ts'
import type { FactKind, FactPlace, FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { arrangeCells, type Cell, type Grid, inColumn, prepareText, rightOf, type TextLine } from './cells.ts'
import { keepDistinct } from './distinct-facts.ts'
import { findLabels, type Hit, type LabelKind } from './labels.ts'
import { readDoctorName, readPersonName } from './person-names.ts'

export type { TextLine } from './cells.ts'

/** Characters of a value that are read. */
const MAX_VALUE_LENGTH = 200
/** Rows above a name in which the heading of its column is searched. */
const HEADING_ROWS = 6
/** Labels after a surname among which its given names are searched. */
const GIVEN_WITHIN = 8

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
/** A heading with one of these is of somebody other than the patient. */
const OTHERS =
  words(`medic medicul medici medicului doctor doctorul dr asistent asistenta laborator mama mamei tata tatalui sot sotie sotia apartinator
  apartinatori apartinatorul reprezentant tutore contact validat angajat angajator biolog chimist farmacist radiolog semnatura parafa parinte parinti
  trimitator prescriptor operator`)
const PATIENTS = words(
  'pacient pacientul pacienta pacientului pacientei bolnav asigurat personale identificare patient',
)
const HEADING_WORDS = 5
/** Characters before a label that may say whose name it is. */
const BEFORE_LENGTH = 60

/**
 * Returns what lines of text say of a patient and an examination: valid CNPs anywhere, everything else only after
 * a label, in its line, in the cell to the right or in the cell below. It takes time in proportion to the text.
 */
export function findFacts(lines: readonly TextLine[]): FileFact[] {
  const today = todayInRomania()
  const cnps = lines.flatMap(({ text, place }) =>
    findCnps(prepareText(text).replaceAll('\t', '  '), today).map(
      ({ cnp, isDoubtful }): FileFact => ({
        kind: 'cnp',
        value: cnp,
        place,
        ...(isDoubtful && { isDoubtful }),
      }),
    ),
  )
  const facts = arrangeCells(lines).flatMap((grid) => findInGrid(grid, today))
  const doctors = new Set(facts.flatMap(({ kind, value }) => (kind === 'doctor' ? sortedWords(value) : [])))
  const certain = facts.filter(({ kind, value }) => kind !== 'name' || !doctors.has(sortedWords(value)))
  return keepDistinct([...cnps, ...certain])
}

const sortedWords = (name: string): string => name.toLowerCase().split(/[ -]/).sort().join(' ')

/** A value that a label has, with the cell that it was read in. */
type Value = { value: string; hit: Hit; in: Cell; more?: FileFact }

/** The labels of a grid with their values, in order; null for a label without one. */
function readLabels(grid: Grid, today: string) {
  const hits = grid.flatMap((row) => row.flatMap(findLabels))
  const labels = new Set(hits.map(({ cell }) => cell))
  const read = hits.map((hit, index) => {
    const [following] = hits.slice(index + 1, index + 2)
    const next = following?.cell === hit.cell ? following : undefined
    return { hit, next, value: readValue(grid, labels, hit, next, today) }
  })
  const labelled = new Set(read.flatMap(({ hit, value }) => (value ? [hit.cell] : [])))
  return { read, labels, labelled }
}

const OF_PERSON: ReadonlySet<LabelKind> = new Set([
  'patient-name',
  'name',
  'name-given-first',
  'surname',
  'given',
  'birth-date',
  'cnp',
])
/** Shorter labels, such as `n`, are also words of other texts. */
const LEAST_LABEL_LENGTH = 3

/** Whether a label of the person has a value that is none: a date that does not exist, a CNP with too few digits. */
export function hasUnclearValue(lines: readonly TextLine[]): boolean {
  const today = todayInRomania()
  return arrangeCells(lines).some((grid) => {
    const { read, labels, labelled } = readLabels(grid, today)
    return read.some(({ hit, next, value }) => {
      const { kind, cell, start, valueStart } = hit
      if (value !== null || !OF_PERSON.has(kind) || valueStart - start < LEAST_LABEL_LENGTH) return false
      if (isNameKind(kind) && isOfAnother(grid, hit, labelled)) return false
      const own = cell.text.slice(valueStart, next?.start)
      const near = [rightOf(grid, cell), inColumn(grid, cell, cell.row + 1)]
      const texts = /[\p{L}\p{N}]/u.test(own)
        ? [own]
        : near.flatMap((each) => (each && !labels.has(each) && !next ? [each.text] : []))
      if (kind !== 'cnp')
        return texts.some((text) => (kind === 'birth-date' ? /\p{N}/u : /\p{L}/u).test(text))
      // Its digits may each be in a box of their own.
      const row = grid[cell.row]!.slice(cell.column + 1).map(({ text }) => text)
      const found = [...texts, [own, ...row].join(' ')].some((text) => findCnps(text, today).length > 0)
      return !found && texts.some((text) => /\p{N}/u.test(text))
    })
  })
}

function findInGrid(grid: Grid, today: string): FileFact[] {
  const { read, labels, labelled } = readLabels(grid, today)
  const values = read.flatMap(({ value }) => value ?? [])
  const facts: FileFact[] = []
  const parts: Value[] = []
  for (const each of values) {
    const { kind } = each.hit
    if (isNameKind(kind) && isOfAnother(grid, each.hit, labelled)) continue
    if (kind === 'surname' || kind === 'given') parts.push(each)
    else facts.push(toFact(FACT_OF[kind]!, each.value, [each.in]), ...(each.more ? [each.more] : []))
  }
  return [...facts, ...joinNames(parts), ...findUnlabelledDoctors(grid, labels)]
}

const FACT_OF: Readonly<Partial<Record<LabelKind, FactKind>>> = {
  'patient-name': 'name',
  name: 'name',
  'name-given-first': 'name',
  'birth-date': 'birth-date',
  accession: 'accession',
  bulletin: 'accession',
  'examined-on': 'examined-on',
  doctor: 'doctor',
  institution: 'institution',
}
const isNameKind = (kind: LabelKind) =>
  kind === 'name' || kind === 'name-given-first' || kind === 'surname' || kind === 'given'

const toFact = (kind: FactKind, value: string, cells: readonly Cell[]): FileFact => ({
  kind,
  value,
  place: cells.map(({ place }) => place).reduce(joinPlaces),
})

/** Returns a place with the box around both; without boxes the first place. */
function joinPlaces(first: FactPlace, second: FactPlace): FactPlace {
  const [a, b] = [first.box, second.box]
  if (!a || !b) return first
  const [left, top] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])]
  const round = (value: number) => Math.round(value * 10_000) / 10_000
  const width = round(Math.max(a[0] + a[2], b[0] + b[2]) - left)
  return { ...first, box: [left, top, width, round(Math.max(a[1] + a[3], b[1] + b[3]) - top)] }
}

/** Reads the value of a label: behind it, else in the cell to the right, else in the cell below. */
function readValue(
  grid: Grid,
  labels: ReadonlySet<Cell>,
  hit: Hit,
  next: Hit | undefined,
  today: string,
): Value | null {
  if (hit.kind === 'other' || hit.kind === 'cnp') return null
  const { cell } = hit
  const own = cell.text.slice(
    hit.valueStart,
    Math.min(next?.start ?? cell.text.length, hit.valueStart + MAX_VALUE_LENGTH),
  )
  const read = (text: string, from: Cell): Value | null => {
    const value = parseValue(hit.kind, text, today)
    return value === null
      ? null
      : {
          value: value.value,
          hit,
          in: from,
          ...(value.examinedOn ? { more: toFact('examined-on', value.examinedOn, [from]) } : {}),
        }
  }
  if (/[\p{L}\p{N}]/u.test(own)) return read(own, cell)
  // A label before another one in its cell has no value.
  if (next) return null
  const readCell = (from: Cell | undefined) =>
    from && !labels.has(from) ? read(from.text.slice(0, MAX_VALUE_LENGTH), from) : null
  const right = rightOf(grid, cell)
  const below = inColumn(grid, cell, cell.row + 1)
  if (!hit.isBare) return readCell(right) ?? (right && !labels.has(right) ? null : readCell(below))
  const [toRight, underneath] = [readCell(right), readCell(below)]
  // Without a colon it may head a row or a column.
  return toRight && underneath ? null : (toRight ?? underneath)
}

function parseValue(
  kind: LabelKind,
  text: string,
  today: string,
): { value: string; examinedOn?: string } | null {
  const found = (value: string | null) => (value === null ? null : { value })
  switch (kind) {
    case 'patient-name':
    case 'name':
      return found(readPersonName(text, { least: 2 }))
    case 'name-given-first':
      return found(readPersonName(text, { least: 2, isGivenFirst: true }))
    case 'surname':
    case 'given':
      return found(readPersonName(text, { least: 1 }))
    case 'birth-date':
    case 'examined-on':
      return found(parseDate(text, today))
    case 'accession':
      return parseNumber(text)
    case 'bulletin': {
      const number = parseNumber(text)
      return number && { value: number.value, ...dateAfter(text, number.end, today) }
    }
    case 'doctor':
      return found(readDoctorName(text))
    case 'institution':
      return found(parseInstitution(text))
    case 'cnp':
    case 'other':
      return null
  }
}

/** What may be between a label and its date. */
const BEFORE_DATE = /[ .:_*,–-]{0,60}(?:(?:la|în|in|data|de|pe|ziua)[ :.]{1,3}){0,4}/iy

function parseDate(text: string, today: string): string | null {
  BEFORE_DATE.lastIndex = 0
  BEFORE_DATE.test(text)
  const found = readDate(text, BEFORE_DATE.lastIndex)
  return found !== null && found.date <= today ? found.date : null
}

const NUMBER = /[ .:#=°º_]{0,60}([A-Za-z0-9]+(?:[-/._][A-Za-z0-9]+)*)/y
const DATE_AT_END = /[/-](?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2})$/
const LEAST_DIGITS = 3
const MAX_NUMBER_LENGTH = 40
const CNP_LENGTH = 13

/** Returns a number with at least three digits that is neither a date nor as long as a CNP. */
function parseNumber(text: string): { value: string; end: number } | null {
  NUMBER.lastIndex = 0
  const [whole, token] = NUMBER.exec(text) ?? []
  if (whole === undefined || token === undefined) return null
  const value = token.replace(DATE_AT_END, '')
  const digits = value.replace(/\D/g, '').length
  const isDate = readDate(value, 0)?.end === value.length
  const isCnp = digits === CNP_LENGTH && findCnps(value).length > 0
  if (digits < LEAST_DIGITS || value.length > MAX_NUMBER_LENGTH || isDate || isCnp) return null
  return { value, end: whole.length - token.length + value.length }
}

/** Returns the date of a bulletin after its number: `12345/11.02.2024`, `12345 din 11.02.2024`. */
function dateAfter(text: string, at: number, today: string): { examinedOn?: string } {
  const between = /(?: ?[/-] ?| din (?:data (?:de )?)?)/y
  between.lastIndex = at
  const date = between.test(text) ? readDate(text, between.lastIndex)?.date : undefined
  return date !== undefined && date <= today ? { examinedOn: date } : {}
}

function parseInstitution(text: string): string | null {
  const value = normaliseText(text.replace(/^[ .:_–-]{0,60}/, '').replace(/[ ,;:_–-]{1,60}$/, ''))
  return /\p{L}.*\p{L}/u.test(value) && !/\d{6}/.test(value) ? value : null
}

/**
 * Whether a name is of a doctor or a relative: by words before it in its cell, or by the nearest heading on its
 * left or above. A label with a value of its own is no heading.
 */
function isOfAnother(grid: Grid, { cell, start }: Hit, labelled: ReadonlySet<Cell>): boolean {
  const before = foldText(cell.text.slice(Math.max(0, start - BEFORE_LENGTH), start)).split(/[^a-z]+/)
  if (before.some((word) => OTHERS.has(word))) return true
  const left = grid[cell.row]?.[cell.column - 1]
  const above: (Cell | undefined)[] = [left]
  for (let rows = 1; rows <= HEADING_ROWS; rows += 1) above.push(inColumn(grid, cell, cell.row - rows))
  for (const heading of above) {
    if (!heading || labelled.has(heading) || heading.words.length > HEADING_WORDS) continue
    const folded = heading.words.map((word) => word.folded)
    if (folded.some((word) => PATIENTS.has(word))) return false
    if (folded.some((word) => OTHERS.has(word))) return true
  }
  return false
}

/** Returns the names of surnames with their given names, in either order, side by side or in one column. */
function joinNames(parts: readonly Value[]): FileFact[] {
  const used = new Set<Value>()
  return parts.flatMap((part, index): FileFact[] => {
    if (used.has(part)) return []
    const other = parts
      .slice(index + 1, index + 1 + GIVEN_WITHIN)
      .find(
        (each) =>
          each.hit.kind !== part.hit.kind && !used.has(each) && belongTogether(part.hit.cell, each.hit.cell),
      )
    if (!other) {
      const isWhole = part.hit.kind === 'surname' && /[ ]/.test(part.value)
      return isWhole ? [toFact('name', part.value, [part.in])] : []
    }
    used.add(other)
    const [surname, given] = part.hit.kind === 'surname' ? [part, other] : [other, part]
    const cells = [part.in, other.in]
    return [toFact('name', `${surname.value} ${given.value}`, cells)]
  })
}

function belongTogether(first: Cell, second: Cell): boolean {
  const rows = Math.abs(second.row - first.row)
  // A table with the values below has further labels in between.
  if (rows === 0) return Math.abs(second.column - first.column) <= 3
  return rows <= 2 && Math.min(first.right, second.right) > Math.max(first.left, second.left)
}

/** Returns the doctors that are named by their title alone; they may as well have written the report. */
function findUnlabelledDoctors(grid: Grid, labels: ReadonlySet<Cell>): FileFact[] {
  return grid.flat().flatMap((cell): FileFact[] => {
    const title = cell.words.find(({ folded }) => folded === 'dr')
    if (
      !title ||
      labels.has(cell) ||
      (title !== cell.words[0] && !/^(?:prof|conf)/.test(cell.words[0]!.folded))
    )
      return []
    const value = readDoctorName(cell.text.slice(title.start, title.start + MAX_VALUE_LENGTH))
    return value === null ? [] : [{ ...toFact('doctor', value, [cell]), isDoubtful: true }]
  })
}
