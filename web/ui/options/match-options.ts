import { queryWords, searchWords } from '../../../shared/romania/names.ts'
import type { Option, OptionGroup } from './option.ts'

/** The options alone, whatever groups they stand in. */
export const flatOptions = <Id extends string>(
  options: readonly (Option<Id> | OptionGroup<Id>)[],
): Option<Id>[] => options.flatMap((entry) => ('options' in entry ? entry.options : [entry]))

/**
 * Tells whether a label answers to what was typed: each typed word stands in one of its words. Case, diacritics, signs and
 * the two spellings of â do not count: `targu mures` finds Târgu-Mureș. Taking a thousand labels apart at each key would be
 * felt: a matcher keeps their words for as long as it lives.
 */
export function createMatcher(): (label: string, typed: string) => boolean {
  const wordsOf = new Map<string, string[]>()
  return (label, typed) => {
    const wanted = queryWords(typed)
    // Signs alone, or letters of another alphabet.
    if (wanted.length === 0) return label.toLowerCase().includes(typed.trim().toLowerCase())
    const words = wordsOf.get(label) ?? searchWords(label)
    wordsOf.set(label, words)
    return wanted.every((part) => words.some((word) => word.includes(part)))
  }
}

/** Whether two texts are the same words to a person who types. */
export const isSameText = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase() ||
  (queryWords(a).length > 0 && queryWords(a).join(' ') === queryWords(b).join(' '))
