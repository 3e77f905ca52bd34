import { queryWords, searchWords } from '../../../shared/romania/names.ts'

/**
 * Returns a function that checks whether a label matches the typed text: each typed word must be part of a
 * word of the label, regardless of case, diacritics, punctuation and the two spellings of â (`targu mures`
 * finds Târgu-Mureș). Splitting a thousand labels into words on each key would be slow, so the matcher caches
 * them.
 */
export function createMatcher(): (label: string, typed: string) => boolean {
  const wordsOf = new Map<string, string[]>()
  return (label, typed) => {
    const typedWords = queryWords(typed)
    // The text has only punctuation or letters of another alphabet.
    if (typedWords.length === 0) return label.toLowerCase().includes(typed.trim().toLowerCase())
    const words = wordsOf.get(label) ?? searchWords(label)
    wordsOf.set(label, words)
    return typedWords.every((part) => words.some((word) => word.includes(part)))
  }
}

/** Whether two texts have the same words, regardless of case, diacritics and punctuation. */
export const isSameText = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase() ||
  (queryWords(a).length > 0 && queryWords(a).join(' ') === queryWords(b).join(' '))
