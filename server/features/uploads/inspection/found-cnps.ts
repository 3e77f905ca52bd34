import { findCnps, normaliseDigits, parseCnp } from '../../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../../shared/romania/day.ts'
import type { FileFact } from '../../../../shared/uploads/file-facts.ts'

/** The CNPs in the text of a file, as stored in `file.cnps`. */
export type FoundCnps = {
  /** The valid CNPs written as forms print them (`findCnps`), each once; at most MAX_FOUND. */
  found: string[]
  /** Those in groups that are far apart, which are perhaps none; absent if there are none. */
  doubtful?: string[]
  /** Whether the text has more than MAX_FOUND CNPs. */
  isCut: boolean
  /** The CNP that is on every page, if no other digits in the text form a valid CNP; null otherwise. */
  only: string | null
}

export const MAX_FOUND = 100

/** Returns the CNPs of a text as facts of its file: also those that a line ends in the middle of. */
export const factsOfCnps = ({ found, doubtful = [] }: FoundCnps): FileFact[] => [
  ...found.map((value): FileFact => ({ kind: 'cnp', value, place: { in: 'text' } })),
  ...doubtful.map((value): FileFact => ({ kind: 'cnp', value, place: { in: 'text' }, isDoubtful: true })),
]

/**
 * Returns which CNPs are in a text, whose pages are separated by a form feed, and whether they are all the
 * same. It parses one or two numbers for each character, which takes up to a second for the longest saved
 * text: call it in the sandbox, never in the server process.
 */
export function summarizeCnps(text: string): FoundCnps {
  const today = todayInRomania()
  const pages = text
    .replace(/\f$/, '')
    .split('\f')
    .map((page) => Map.groupBy(findCnps(page, today), ({ isDoubtful }) => isDoubtful))
    .map((found) => ({ certain: cnpsOf(found.get(false)), doubtful: cnpsOf(found.get(true)) }))
  const all = new Set(pages.flatMap(({ certain }) => [...certain]))
  const doubtful = [...new Set(pages.flatMap((page) => [...page.doubtful]))].filter((cnp) => !all.has(cnp))
  const soleCnp = doubtful.length > 0 ? null : findSoleCnp(text, today)
  return {
    found: [...all].slice(0, MAX_FOUND),
    ...(doubtful.length > 0 && { doubtful: doubtful.slice(0, MAX_FOUND) }),
    isCut: all.size > MAX_FOUND || doubtful.length > MAX_FOUND,
    only: soleCnp !== null && pages.every(({ certain }) => certain.has(soleCnp)) ? soleCnp : null,
  }
}

const cnpsOf = (found: readonly { cnp: string }[] = []): ReadonlySet<string> =>
  new Set(found.map(({ cnp }) => cnp))

/**
 * One to three characters between two digits, none of them a digit or an ASCII letter: spaces, line ends or
 * form feeds may split one number. Other letters, such as ă, count as separators too.
 */
const SEPARATORS = /(?<=\d)[^\dA-Za-z]{1,3}(?=\d)/g
const CNP_LENGTH = 13

/**
 * Returns the only valid CNP among all runs of thirteen digits, with or without separators, also inside a
 * longer number; null if there is none or more than one. Numbers that only look like a CNP count too, which
 * costs no more than a review.
 */
function findSoleCnp(text: string, today: string): string | null {
  let soleCnp: string | null = null
  for (const [run] of normaliseDigits(text)
    .replace(SEPARATORS, '')
    .matchAll(/\d{13,}/g)) {
    for (let start = 0; start + CNP_LENGTH <= run.length; start += 1) {
      const digits = run.slice(start, start + CNP_LENGTH)
      if (digits === soleCnp || !parseCnp(digits, today).ok) continue
      if (soleCnp !== null) return null
      soleCnp = digits
    }
  }
  return soleCnp
}
