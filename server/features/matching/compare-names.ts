import { normaliseText, searchWords } from '../../../shared/romania/names.ts'
import { GIVEN_NAMES } from './given-names.ts'

export type PersonName = { surname: string; given_names: string; previous_surname: string | null }

/**
 * How a name in a document relates to a person's: `same`: every word of it, and at most the initial of the father besides;
 * `fits`: surname and given name agree, with more or fewer words; `short`: one of them only by its initial; `misspelt`: it
 * would be `same` without one typing error; `part`: it says too little, such as only a surname; `other`: another person's.
 */
export type NameMatch = 'same' | 'fits' | 'short' | 'misspelt' | 'part' | 'other'

/** A word with its spellings: `Târgu` is also `tirgu`. */
type Word = readonly string[]

/** The words of a person's name, folded once for many comparisons. */
export type FoldedName = { surnames: readonly (readonly Word[])[]; given: readonly Word[] }

const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/** Written before or after names, and no part of them. */
const TITLES = new Set(['dl', 'dna', 'dra', 'domnul', 'doamna', 'pacient', 'pacienta'])

const foldWords = (text: string): Word[] =>
  normaliseText(text)
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .map((word) => (/^[a-z0-9]+$/.test(word) ? [word] : searchWords(word)))
    .filter((spellings) => spellings.length > 0)

/** A name in a document, folded once for many comparisons. */
export type StatedName = readonly Word[]

/** Folds a name as a document has it, without the titles before it. */
export function foldStated(text: string): StatedName {
  const words = foldWords(text)
  const named = words.filter(([word = '']) => !TITLES.has(word))
  return named.length > 0 ? named : words
}

/** Folds a name: with its surname, with the previous one, and with both. */
export function foldName({ surname, given_names, previous_surname }: PersonName): FoldedName {
  const current = foldWords(surname)
  const previous = foldWords(previous_surname ?? '')
  return {
    surnames: previous.length === 0 ? [current] : [current, previous, [...current, ...previous]],
    given: foldWords(given_names),
  }
}

/** Returns a key that is equal for names of equal words in any order. */
export const nameGroup = (text: string): string =>
  foldStated(text)
    .map(([word = '']) => word)
    .sort()
    .join(' ')

const BEST_FIRST: readonly NameMatch[] = ['same', 'fits', 'short', 'misspelt', 'part', 'other']

export const agreesByName = (match: NameMatch): boolean =>
  BEST_FIRST.indexOf(match) <= BEST_FIRST.indexOf('misspelt')

/** Compares a name in a document with a person's. */
export function compareName(person: FoldedName, stated: StatedName): NameMatch {
  const results = person.surnames.map((surname) => compareWords(stated, surname, person.given))
  return BEST_FIRST.find((match) => results.includes(match)) ?? 'other'
}

/**
 * Whether a doubtful name is another person's. The bytes of letters other than a–z may have been read as any characters, and
 * a word that has such characters agrees with any word.
 */
export function isOtherName(person: FoldedName, text: string): boolean {
  const readable = text
    .split(/[\s,^=]+/)
    .filter((word) => /^[\w'.-]+$/.test(word))
    .join(' ')
  const known = [...person.surnames.flat(), ...person.given]
  const isKnown = (word: Word) => known.some((each) => isSame(word, each) || isInitial(word, each))
  return !foldWords(readable).every(isKnown)
}

function compareWords(stated: StatedName, surname: readonly Word[], given: readonly Word[]): NameMatch {
  const words = glue(stated, [surname, given])
  const exact = judge(words, surname, given, never)
  if (exact !== 'other') return exact
  const tolerant = judge(words, surname, given, isTypo)
  return tolerant === 'same' ? 'misspelt' : 'other'
}

/** Whether the name would be the person's but for one letter, which may make it the name of a twin. */
export function isNearName(person: FoldedName, stated: StatedName): boolean {
  return person.surnames.some((surname) => {
    const match = judge(glue(stated, [surname, person.given]), surname, person.given, isSlip)
    return agreesByName(match)
  })
}

type Agrees = (word: Word, part: Part) => boolean
type Part = { word: Word; isGiven: boolean; isFound: boolean }

function judge(
  words: readonly Word[],
  surname: readonly Word[],
  given: readonly Word[],
  isMisspelt: Agrees,
): NameMatch {
  const parts: Part[] = [
    ...surname.map((word) => ({ word, isGiven: false, isFound: false })),
    ...given.map((word) => ({ word, isGiven: true, isFound: false })),
  ]
  let extra = words
  const take = (agrees: Agrees, most = words.length): Part[] => {
    const found: Part[] = []
    extra = extra.filter((word) => {
      const part = found.length < most ? parts.find((each) => !each.isFound && agrees(word, each)) : undefined
      if (!part) return true
      part.isFound = true
      found.push(part)
      return false
    })
    return found
  }
  const whole = [...take((word, part) => isSame(word, part.word)), ...take(isMisspelt, 1)]
  const initials = [
    ...take((word, part) => part.isGiven && isInitial(word, part.word)),
    ...take((word, part) => isInitial(word, part.word)),
  ]
  const left = parts.filter(({ isFound }) => !isFound)
  const hasSurname = whole.some(({ isGiven }) => !isGiven)
  const hasGiven = whole.some(({ isGiven }) => isGiven)
  if (extra.length > 0) {
    // The initial of the father, as in `Popescu V. Ion`.
    const isInitialOnly = extra.every((word) => word.every((spelling) => spelling.length === 1))
    if (!hasSurname || !hasGiven || (left.length > 0 && !isInitialOnly)) return 'other'
    return left.length === 0 && initials.length === 0 && isInitialOnly ? 'same' : 'fits'
  }
  if (hasSurname && hasGiven) return left.length === 0 && initials.length === 0 ? 'same' : 'fits'
  const namesBoth = [true, false].every((wanted) =>
    [...whole, ...initials].some(({ isGiven }) => isGiven === wanted),
  )
  return namesBoth && whole.length > 0 ? 'short' : 'part'
}

const isSame = (one: Word, other: Word): boolean => one.some((spelling) => other.includes(spelling))

const isInitial = (one: Word, other: Word): boolean =>
  one.some((a) => other.some((b) => (a.length === 1 || b.length === 1) && a.charAt(0) === b.charAt(0)))

/** Joins and divides words as the person's are: `AnaMaria` and `Ana Maria`, `O Connor` and `OConnor`. */
function glue(stated: StatedName, groups: readonly (readonly Word[])[]): Word[] {
  const known = groups.flat()
  const isKnown = (word: Word) => known.some((each) => isSame(word, each))
  const pairs = groups.flatMap((group) => group.slice(1).map((second, index) => [group[index]!, second]))
  const divided = stated.flatMap((word) =>
    isKnown(word) ? [word] : (pairs.find(([first, second]) => isSame(word, join(first!, second!))) ?? [word]),
  )
  const joined: Word[] = []
  for (const word of divided) {
    const before = joined.at(-1)
    const both = before ? join(before, word) : null
    if (both && isKnown(both) && !(isKnown(before!) && isKnown(word))) joined.splice(-1, 1, both)
    else joined.push(word)
  }
  return joined
}

const join = (first: Word, second: Word): Word => first.flatMap((a) => second.map((b) => a + b))

/** Letters of a word from which on one error, or two, are a typing error. */
const LONG = 5
const VERY_LONG = 9

const never: Agrees = () => false

/** Whether the words differ by so few letters that a person may have mistyped one. */
const isSlip: Agrees = (word, part) =>
  word.some((a) =>
    part.word.some((b) => {
      const shorter = Math.min(a.length, b.length)
      const most = shorter >= VERY_LONG ? 2 : shorter >= LONG ? 1 : 0
      return most > 0 && countErrors(a, b, most) <= most
    }),
  )

const isTypo: Agrees = (word, part) =>
  isSlip(word, part) &&
  !(part.isGiven && word.some((spelling) => part.word.some((known) => areTwoNames(spelling, known))))

const ENDING = /[aeiou]+$/

/** Whether both are given names: known ones, or one the feminine or a form of the other (Daniel, Daniela). */
const areTwoNames = (a: string, b: string): boolean =>
  (GIVEN_NAMES.has(a) && GIVEN_NAMES.has(b)) || a.replace(ENDING, '') === b.replace(ENDING, '')

/**
 * Returns how many letters are missing, added, changed, or swapped with their neighbour (the optimal string alignment
 * distance); a number above `most` if there are more.
 */
function countErrors(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let twoBack: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? twoBack[j - 2]! + 1 : change
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change, swap))
    }
    if (Math.min(...row) > most) return most + 1
    twoBack = last
    last = row
  }
  return last[b.length]!
}
