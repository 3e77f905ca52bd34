import { findCnps, parseCnp, todayInRomania } from '../../../../shared/romania/cnp.ts'

/** The CNPs in the text of a file. */
export type FoundCnps = {
  /** The valid ones, as forms print them, each once; at most MAX_FOUND. */
  found: string[]
  /** The text holds more than MAX_FOUND. */
  isCut: boolean
  /** The one CNP that each page holds, where nothing in the text can be read as another one. */
  only: string | null
}

export const MAX_FOUND = 100

/**
 * Searches a text, pages apart by a form feed. It looks at one or two numbers for each character, up to a second for the
 * longest text that is kept: call it in the sandbox, never in the process that serves requests.
 */
export function searchCnps(text: string): FoundCnps {
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

/** Up to three characters that are no letters, the end of a line included: the digits of one number may be apart. */
const APART = /(?<=\d)[^\dA-Za-z]{1,3}(?=\d)/g
const DIGITS = 13

/**
 * The only valid CNP among any thirteen digits in a row, however they are set apart, also in the middle of a longer number;
 * null where there is none or more than one. It also finds some that are none, which costs a reviewer's look.
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
