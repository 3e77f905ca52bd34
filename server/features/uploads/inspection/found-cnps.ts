import { findCnps, parseCnp, todayInRomania } from '../../../../shared/romania/cnp.ts'

/** The CNPs in the text of a file. */
export type FoundCnps = {
  /** The valid CNPs written as forms print them, each once; at most MAX_FOUND. */
  found: string[]
  /** The text has more than MAX_FOUND. */
  isCut: boolean
  /** The one CNP that is on every page, if no other digits in the text form a valid CNP. */
  only: string | null
}

export const MAX_FOUND = 100

/**
 * Returns the CNPs in a text whose pages are separated by a form feed. It parses one or two numbers for each
 * character, which takes up to a second for the longest saved text: call it in the sandbox, never in the
 * server process.
 */
export function summarizeCnps(text: string): FoundCnps {
  const today = todayInRomania()
  const pages = text
    .replace(/\f$/, '')
    .split('\f')
    .map((page) => new Set(findCnps(page, today).map(({ cnp }) => cnp)))
  const all = new Set(pages.flatMap((page) => [...page]))
  const only = findOnlyPossible(text, today)
  return {
    found: [...all].slice(0, MAX_FOUND),
    isCut: all.size > MAX_FOUND,
    only: only !== null && pages.every((page) => page.has(only)) ? only : null,
  }
}

/**
 * Up to three characters between two digits that are no letters, line ends included: they may split one
 * number.
 */
const APART = /(?<=\d)[^\dA-Za-z]{1,3}(?=\d)/g
const DIGITS = 13

/**
 * Returns the only valid CNP among all runs of thirteen digits, with or without separators, also inside a
 * longer number; null if there is none or more than one. Numbers that only look like a CNP count too, which
 * costs no more than a review.
 */
function findOnlyPossible(text: string, today: string): string | null {
  let only: string | null = null
  for (const [run] of text.replace(APART, '').matchAll(/\d{13,}/g)) {
    for (let start = 0; start + DIGITS <= run.length; start += 1) {
      const digits = run.slice(start, start + DIGITS)
      if (digits === only || !parseCnp(digits, today).ok) continue
      if (only !== null) return null
      only = digits
    }
  }
  return only
}
