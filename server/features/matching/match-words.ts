import { foldText } from '../../../shared/romania/names.ts'
import { isUnder, slugParts } from '../../../shared/uploads/categories.ts'

/** Returns the words of a text, folded, each between spaces. */
const foldPhrase = (text: string): string =>
  ` ${
    foldText(text)
      .match(/[a-z0-9]+/g)
      ?.join(' ') ?? ''
  } `

export type CategoryWords = { slug: string; words: readonly string[] }

/**
 * Returns the category whose longest word or phrase is in the first text that has any; of a category and one below it the
 * lower one; null if two others are equal.
 */
export function matchCategory(texts: readonly string[], categories: readonly CategoryWords[]): string | null {
  const phrases = categories.flatMap(({ slug, words }) =>
    words.map((word) => ({ slug, phrase: foldPhrase(word) })).filter(({ phrase }) => phrase.trim() !== ''),
  )
  for (const text of texts.map(foldPhrase)) {
    const found = phrases.filter(({ phrase }) => text.includes(phrase))
    if (found.length === 0) continue
    const longest = Math.max(...found.map(({ phrase }) => phrase.length))
    const slugs = [
      ...new Set(found.filter(({ phrase }) => phrase.length === longest).map(({ slug }) => slug)),
    ].sort((a, b) => slugParts(b).length - slugParts(a).length)
    const [lowest = ''] = slugs
    return slugs.every((slug) => slug === lowest || isUnder(lowest, slug)) ? lowest : null
  }
  return null
}

type Named = { name: string; short_name: string | null; code: string }

/** Shorter names are words of other texts. */
const MIN_NAME_LETTERS = 4

/** Returns the institution that the texts name, by name, short name or code; null if they name none or several. */
export function matchInstitution<I extends Named>(
  texts: readonly string[],
  institutions: readonly I[],
): I | null {
  const stated = texts.map(foldPhrase)
  const found = institutions.filter(({ name, short_name, code }) =>
    [name, short_name ?? '', code]
      .map(foldPhrase)
      .some((own) => own.trim().length >= MIN_NAME_LETTERS && stated.some((text) => text.includes(own))),
  )
  // `Clinica Zorile Noi` also has the name of `Zorile`.
  const [first, ...others] = found.toSorted((a, b) => b.name.length - a.name.length)
  const isPartOf = (other: Named) => foldPhrase(first!.name).includes(foldPhrase(other.name))
  return first && others.every(isPartOf) ? first : null
}
