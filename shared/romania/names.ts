import { stripInvisible } from '../invisible-characters.ts'

const COMMA_LETTERS: Record<string, string> = { ş: 'ș', Ş: 'Ș', ţ: 'ț', Ţ: 'Ț' }

/**
 * Returns one line of text as it is stored: NFC, ș and ț with a comma below instead of the old cedilla, no
 * invisible characters, single spaces, trimmed.
 */
export function normaliseText(text: string): string {
  return stripInvisible(text.replace(/[\s\u0085]+/g, ' '))
    .normalize('NFC')
    .replace(/[şŞţŢ]/g, (letter) => COMMA_LETTERS[letter]!)
    .replace(/ +/g, ' ')
    .trim()
}

/** Written in lower case between other words of a name: `van Dijk`, `Popescu de la Cruz`. */
const PARTICLES = new Set([
  'al',
  'bin',
  'da',
  'de',
  'del',
  'den',
  'der',
  'di',
  'du',
  'el',
  'la',
  'le',
  'van',
  'von',
])

/** `Mc` of a surname such as `McDonald`: in no Romanian name do a `Mc` and a letter follow each other. */
const SCOTTISH = /^mc(?=\p{L}{2})/u

/** Capitalises the first letter; a ligature such as `ﬁ`, which becomes several letters, stays. */
function capitaliseFirst(small: string): string {
  const first = String.fromCodePoint(small.codePointAt(0)!)
  const capital = first.toLocaleUpperCase('ro')
  return capital.toLocaleLowerCase('ro') === first ? capital + small.slice(first.length) : small
}

function capitaliseWord(small: string): string {
  const prefix = SCOTTISH.exec(small)?.[0].length ?? 0
  return prefix === 0
    ? capitaliseFirst(small)
    : capitaliseFirst(small.slice(0, prefix)) + capitaliseFirst(small.slice(prefix))
}

/**
 * Capitalises each word of a name that is all in capitals or begins with a small letter: `ȚĂRANU-șerban`
 * becomes `Țăranu-Șerban`. Words with inner capitals (`McDonald`) and initials stay; a particle in capitals
 * becomes small between other words (`POPESCU DE LA CRUZ`), since alone it may be a name (`VAN`).
 */
export function capitaliseName(text: string): string {
  const parts = normaliseText(text).split(/([\p{L}\p{M}]+)/u)
  // Words are at the odd places, what separates them at the even ones.
  const isWithin = (place: number) => place > 1 && place < parts.length - 2
  return parts
    .map((word, place) => {
      if (place % 2 === 0) return word
      const small = word.toLocaleLowerCase('ro')
      const isCapital = word.length > 1 && word === word.toLocaleUpperCase('ro')
      if (PARTICLES.has(small) && (word === small || (isCapital && isWithin(place)))) return small
      return isCapital || word === small ? capitaliseWord(small) : word
    })
    .join('')
}

/** Letters that Unicode does not decompose into a base letter and accents. */
const BASE_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const foldLetters = (lowerCase: string): string =>
  lowerCase
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => BASE_LETTERS[letter]!)

/** Returns the text in lower case without accents: `Funcție` becomes `functie`. */
export const foldText = (text: string): string => foldLetters(normaliseText(text).toLowerCase())

/** Sorts each letter right after its base letter: `{` and `|` are the first two bytes after `z`. */
const KEY_LETTERS: Record<string, string> = { ă: 'a{', â: 'a|', î: 'i{', ș: 's{', ț: 't{' }
const KEY_SPELLINGS: Record<string, string[]> = { a: ['a{', 'a|'], i: ['i{'], s: ['s{'], t: ['t{'] }

/**
 * Returns a key whose byte order (`COLLATE "C"`) is the order of a Romanian dictionary: a < ă < â < b, i < î,
 * s < ș, t < ț. Case and other accents do not count; hyphens, apostrophes and everything else but letters and
 * digits become spaces.
 */
export function nameKey(text: string): string {
  return [...normaliseText(text).toLowerCase()]
    .map((letter) => KEY_LETTERS[letter] ?? foldLetters(letter).replace(/[^\p{L}\p{N}]/gu, ' '))
    .join('')
    .replace(/ +/g, ' ')
    .trim()
}

/** â and î inside a word of a nameKey. */
const INNER_OF_KEY = /(?<=[^\p{N}])(?:a\||i\{)(?=[^\p{N}])/gu

/** Returns the words of searchWords of a name, from its nameKey. */
export const keyWords = (key: string): string[] =>
  key.split(' ').flatMap((word) => {
    const spellings = /[{|]/.test(word)
      ? [word, word.replace(INNER_OF_KEY, 'a'), word.replace(INNER_OF_KEY, 'i')]
      : [word]
    return spellings.map((spelling) => spelling.replace(/[{|]/g, ''))
  })

const asciiWords = (folded: string): string[] => folded.match(/[a-z0-9]+/g) ?? []

/**
 * Returns the spellings that nameKey may give a word folded by queryWords: for `su` these are `su` of Suciu
 * and `s{u` of Șuteu. Their number multiplies with each letter, so this is for the beginnings of words.
 */
export function keySpellings(folded: string): string[] {
  return [...folded].reduce<string[]>(
    (spellings, letter) =>
      [letter, ...(KEY_SPELLINGS[letter] ?? [])].flatMap((spelling) =>
        spellings.map((start) => start + spelling),
      ),
    [''],
  )
}

/** Returns the words of a query, folded to a–z and 0–9 in lower case, in the order typed, each once. */
export function queryWords(text: string): string[] {
  return [...new Set(asciiWords(foldLetters(normaliseText(text).toLowerCase())))]
}

/** â and î inside a word, which write one sound in the two orthographies: Târgu, Tîrgu. */
const INNER = /(?<=\p{L})[âî](?=\p{L})/gu

/**
 * Returns the words that a text is found by: as queryWords, and for each word with an inner â or î its
 * spellings with a and with i, so that `targu` and `tirgu` both find Târgu and Tîrgu.
 */
export function searchWords(text: string): string[] {
  const words = normaliseText(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
  const spellings = words.flatMap((word) => [word, word.replace(INNER, 'a'), word.replace(INNER, 'i')])
  return [...new Set(spellings.flatMap((word) => asciiWords(foldLetters(word))))]
}

/** Whether each wanted word begins one of the words. */
export const wordsBeginWith = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))

/** How many first letters of a word patient_name_pair is indexed by. */
export const NAME_PREFIX = 3

/** Returns the prefix that patient_name_pair indexes: the first letters, or the whole of a shorter word. */
export const namePrefix = (word: string): string => word.slice(0, NAME_PREFIX)

type NamePair = { firstPrefix: string; secondPrefix: string; firstWord: string; secondWord: string }

/** German spellings of umlauts: Müller is also written Mueller. */
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Returns the text in lower case with umlauts as two letters: `Müller` becomes `mueller`. */
export const spellUmlauts = (text: string): string =>
  normaliseText(text)
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => UMLAUTS[letter]!)

/** How many neighbouring words are also found as one: `anamaria` for Ana-Maria, `delacruz` for De la Cruz. */
const MAX_JOINED = 3

/** Returns each two or three neighbouring words of a text as one word. */
function joinedWords(text: string): string[] {
  const words = asciiWords(foldLetters(normaliseText(text).toLowerCase()))
  return words.flatMap((_word, start) =>
    Array.from({ length: MAX_JOINED - 1 }, (_, more) => words.slice(start, start + more + 2))
      .filter((joined, more) => joined.length === more + 2)
      .map((joined) => joined.join('')),
  )
}

/** More words than any name has; the number of pairs grows with the square. */
const MAX_WORDS = 24

/**
 * Returns the words that a name of these parts (surname, given names, previous surname) is found by: those of searchWords,
 * umlauts as two letters, and neighbours of a part written as one word.
 */
export function nameWords(parts: readonly string[]): string[] {
  const words = [
    ...parts.flatMap(searchWords),
    ...parts.flatMap((part) => searchWords(spellUmlauts(part))),
    ...parts.flatMap(joinedWords),
  ]
  return [...new Set(words)].slice(0, MAX_WORDS)
}

/**
 * Returns the rows of patient_name_pair for a name of these parts: each word alone (second empty) and each two different
 * words once, ordered by bytes, which also orders their prefixes; at most 300 rows. A query of two words
 * orders them in this way too; if their prefixes are equal it needs both orders.
 */
export function namePairs(parts: readonly string[]): NamePair[] {
  const words = nameWords(parts).sort()
  return words.flatMap((first, index) =>
    ['', ...words.slice(index + 1)].map((second) => ({
      firstPrefix: namePrefix(first),
      secondPrefix: namePrefix(second),
      firstWord: first,
      secondWord: second,
    })),
  )
}

/** Fewer letters make too many other words. */
const MIN_NEAR_LETTERS = 4
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

/**
 * Returns the words that one typing error makes of a folded word: a letter missing, added or replaced, or two neighbours
 * swapped. None for a word shorter than four letters or with digits.
 */
export function nearWords(word: string): string[] {
  if (word.length < MIN_NEAR_LETTERS || /\d/.test(word)) return []
  const places = Array.from(
    { length: word.length + 1 },
    (_, at) => [word.slice(0, at), word.slice(at)] as const,
  )
  const near = places.flatMap(([before, after]) => {
    const added = LETTERS.map((letter) => before + letter + after)
    if (after === '') return added
    const replaced = LETTERS.map((letter) => before + letter + after.slice(1))
    const swapped = before + (after[1] ?? '') + after[0] + after.slice(2)
    return [before + after.slice(1), swapped, ...replaced, ...added]
  })
  return [...new Set(near)].filter((each) => each !== word)
}
