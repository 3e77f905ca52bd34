import { normaliseText, searchWords } from '../../../../shared/romania/names.ts'

export type ComparedName = { surname: string; given_names: string; previous_surname: string | null }

/** The words of one name: each with the spellings that it is found by. */
type NameWords = readonly (readonly string[])[]

const wordsOf = (text: string): NameWords =>
  normaliseText(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(searchWords)
    .filter((spellings) => spellings.length > 0)

/** Returns the names of a person: with the surname, and with the previous one if there is one. */
const namesOf = ({ surname, given_names, previous_surname }: ComparedName): NameWords[] =>
  [surname, ...(previous_surname ? [previous_surname] : [])].map((each) => wordsOf(`${each} ${given_names}`))

const isSameWord = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((spelling) => other.includes(spelling))

const contains = (longer: NameWords, shorter: NameWords): boolean =>
  shorter.every((word) => longer.some((other) => isSameWord(word, other)))

/** Fewer common words are a surname or a given name alone. */
const MIN_COMMON_WORDS = 2

/**
 * Compares two names without regard to diacritics, hyphens and the order of the words; the previous surname
 * counts as the surname. `same`: the same words; `part`: one name has all words of the other, at least two.
 */
export function compareNames(one: ComparedName, other: ComparedName): 'same' | 'part' | 'different' {
  const pairs = namesOf(one).flatMap((a) => namesOf(other).map((b) => [a, b] as const))
  if (pairs.some(([a, b]) => a.length > 0 && contains(a, b) && contains(b, a))) return 'same'
  const isPart = pairs.some(
    ([a, b]) => Math.min(a.length, b.length) >= MIN_COMMON_WORDS && (contains(a, b) || contains(b, a)),
  )
  return isPart ? 'part' : 'different'
}
