import { createRandom, type Random } from '../../db/demo/random.ts'
import type { StatedFact } from '../../server/features/matching/match-document.ts'
import { parseCnp } from '../../shared/romania/cnp.ts'
import type { FactKind, FactPlace } from '../../shared/uploads/file-facts.ts'
import { type Person, slipDate } from './people.ts'

export type TestDocument = {
  facts: StatedFact[]
  /** Whose it is. */
  person: Person
  /** Whether it has the person's own CNP, and no other. */
  hasOwnCnp: boolean
  /** Whether it has a name and a birth date, and no CNP. */
  hasNameAndBirthDate: boolean
  /** What was done to it, for a failure's message. */
  how: string
}

const DICOM: FactPlace = { in: 'tag', tag: '0010,0010' }

/** Returns documents of these people with the facts that are found in them, wrong ones included. */
export function generateDocuments(seed: string, people: readonly Person[], count = 5_000): TestDocument[] {
  const random = createRandom(`documents ${seed}`)
  const byKind = Map.groupBy(people, ({ kind }) => kind)
  const kinds = [
    ['single', 62],
    ['twin', 14],
    ['newborn', 10],
    ['homonym', 5],
    ['near-homonym', 4],
    ['mother', 5],
  ] as const
  return Array.from({ length: count }, () =>
    makeDocument(random, random.pick(byKind.get(random.pickWeighted(kinds))!), people),
  )
}

const WITH_CNP = 0.5

function makeDocument(random: Random, person: Person, people: readonly Person[]): TestDocument {
  const place: FactPlace = random.chance(0.3) ? DICOM : { in: 'text', page: 1 }
  const done: string[] = [person.kind]
  const facts: StatedFact[] = []
  const state = (kind: FactKind, value: string, isDoubtful = false) =>
    facts.push({ kind, value, place, is_doubtful: isDoubtful })
  const relative = person.relative === null ? null : people[person.relative]!
  /** Remembers a change of the document, made with this probability. */
  const does = (what: string, probability: number) => {
    const isDone = random.chance(probability)
    if (isDone) done.push(what)
    return isDone
  }

  const hasCnp = random.chance(WITH_CNP)
  const isCnpAlone = hasCnp && does('CNP alone', 0.1)
  const hasName = !isCnpAlone && !does('no name', 0.04)
  const hasBirthDate = !isCnpAlone && !does('no birth date', hasCnp ? 0.3 : 0.12)
  const hasAccession = !isCnpAlone && person.accession !== null && random.chance(0.4)

  const cnps: string[] = []
  if (hasCnp) {
    // Only where the person's name or birth date is another: nothing shows a document all of whose facts are another's.
    const isShown = (each: Person) =>
      (hasName && !mayHaveName(each, person)) || (hasBirthDate && each.birthDate !== person.birthDate)
    const other = random.pick(people)
    if (relative && person.kind === 'newborn' && isShown(relative) && does('CNP of the mother', 0.6))
      cnps.push(relative.cnp)
    else if (isShown(other) && does('CNP of another', 0.03)) cnps.push(other.cnp)
    else if (relative && isShown(relative) && does('CNP of the relative', 0.05)) cnps.push(relative.cnp)
    else cnps.push(does('CNP misread', 0.05) ? misread(random, person.cnp) : person.cnp)
    if (cnps[0] === person.cnp && does('second CNP', 0.02)) cnps.push((relative ?? random.pick(people)).cnp)
  }
  // Only digits that form a CNP are found.
  const valid = cnps.filter((cnp) => parseCnp(cnp, '2026-01-01').ok)
  for (const cnp of valid) state('cnp', cnp)

  if (hasName) {
    const isMothers =
      hasBirthDate && person.kind === 'newborn' && relative && does('name of the mother', 0.05)
    const name = writeName(random, isMothers ? relative : person, does)
    if (name.trim() !== '') state('name', name, does('doubtful name', 0.04))
  }
  if (hasBirthDate) {
    const slipped = does('birth date mistyped', 0.02) ? slipDate(random, person.birthDate) : person.birthDate
    // With the relative's CNP it would be the relative's document.
    const isRelatives = relative !== null && cnps.includes(relative.cnp) && slipped === relative.birthDate
    state('birth-date', isRelatives ? person.birthDate : slipped, does('doubtful date', 0.02))
  }
  if (hasAccession) {
    const number = Number(person.accession) + (does('accession mistyped', 0.05) ? random.pick([-1, 1]) : 0)
    state('accession', String(number).padStart(6, '0'))
  }
  const has = (kind: FactKind) => facts.some((fact) => fact.kind === kind)
  return {
    facts,
    person,
    hasOwnCnp: valid.length === 1 && valid[0] === person.cnp,
    hasNameAndBirthDate: valid.length === 0 && has('name') && has('birth-date'),
    how: done.join(', '),
  }
}

/** Whether a name of the one may be written so that it is the other's too. */
const mayHaveName = (one: Person, other: Person): boolean =>
  one.surname === other.surname &&
  one.givenNames.split(/[ -]/).some((name) => other.givenNames.split(/[ -]/).includes(name))

type Does = (what: string, probability: number) => boolean

/** Writes the name as documents do: in capitals, without diacritics, in another order, cut, misspelt. */
function writeName(random: Random, person: Person, does: Does): string {
  let surname = person.surname
  let given = person.givenNames
  if (person.previousSurname && does('previous surname', 0.4)) surname = person.previousSurname
  else if (person.previousSurname && does('both surnames', 0.1))
    surname = `${surname} ${person.previousSurname}`
  if (/[ -]/.test(given)) {
    if (does('one given name', 0.12)) given = given.split(/[ -]/)[random.integer(0, 1)]!
    else if (does('glued', 0.04)) given = given.replace(/[ -]/, '')
  }
  if (does('initials', 0.03)) given = given.replace(/(\p{L})\p{L}*/gu, '$1.')
  if (does('typing error', 0.08)) {
    if (random.chance(0.5)) surname = mistype(random, surname)
    else given = mistype(random, given)
  }
  if (does('initial of the father', 0.05)) surname = `${surname} ${random.pick([...'ADGIMNPV'])}.`
  if (does('surname only', 0.01)) given = ''
  let name = does('given names first', 0.2) ? `${given} ${surname}` : `${surname} ${given}`
  if (random.chance(0.4)) name = name.toLocaleUpperCase('ro')
  if (random.chance(0.4)) name = name.normalize('NFD').replace(/\p{M}/gu, '')
  else if (random.chance(0.1)) name = name.replaceAll('ș', 'ş').replaceAll('ț', 'ţ').replaceAll('Ș', 'Ş')
  if (random.chance(0.1)) name = name.replaceAll('â', 'î').replaceAll('Â', 'Î')
  if (random.chance(0.2)) name = name.replaceAll('-', ' ')
  return name.trim()
}

/** Adds, leaves out, changes or swaps a letter. */
function mistype(random: Random, word: string): string {
  const at = random.integer(0, Math.max(0, word.length - 2))
  const letter = random.pick([...'aeiourntlscdmp'])
  return random.pick([
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
  ])
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  0: '8',
  1: '7',
  3: '8',
  5: '6',
  6: '5',
  7: '1',
  8: '3',
}

/** Reads one or two digits as others that look alike. */
function misread(random: Random, cnp: string): string {
  const digits = [...cnp]
  for (let time = random.integer(1, 2); time > 0; time -= 1) {
    const at = random.integer(0, digits.length - 1)
    digits[at] = LOOKALIKES[digits[at]!] ?? String(random.integer(0, 9))
  }
  return digits.join('')
}
