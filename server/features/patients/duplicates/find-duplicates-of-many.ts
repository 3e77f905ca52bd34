import { nameKey } from '../../../../shared/romania/names.ts'
import type { Ctx } from '../../../context.ts'
import { selectCandidatesOfMany } from './duplicates.db.ts'
import { isOnlyPhone, type Person, reasonsFor, wordPairsOf } from './find-duplicates.ts'

type Candidate = Awaited<ReturnType<typeof selectCandidatesOfMany>>[number]

/**
 * Returns for each person, by its line, the patients that may be the same one, by the rules of a patient's page. Writes no
 * audit row.
 */
export async function findDuplicatesOfMany(
  ctx: Ctx,
  people: readonly { line: number; person: Person }[],
): Promise<Map<number, Candidate[]>> {
  if (people.length === 0) return new Map()
  const candidates = await selectCandidatesOfMany(
    ctx.db,
    people.map(({ line, person }) => ({
      line,
      wordPairs: wordPairsOf(person),
      birthDate: person.birth_date,
      phone: person.phone,
      cnp: person.cnp,
    })),
  )
  const byLine = Map.groupBy(candidates, ({ line }) => line)
  return new Map(
    people.map(({ line, person }) => {
      const words = roughWords(
        nameKey(`${person.surname} ${person.given_names} ${person.previous_surname ?? ''}`),
      )
      const found = (byLine.get(line) ?? []).filter((candidate) => {
        if (!mayMatch(person, words, candidate)) return false
        const reasons = reasonsFor(person, candidate)
        return reasons.length > 0 && !isOnlyPhone(person, candidate, reasons)
      })
      return [line, found.toSorted((a, b) => (a.id < b.id ? -1 : 1))] as const
    }),
  )
}

/** Words without their accents, with one letter for the two orthographies of â and î. */
const roughWords = (key: string): Set<string> =>
  new Set(key.replace(/[{|]/g, '').replaceAll('i', 'a').split(' '))

/** Whether the rules can find anything: most people who were born on the same day have no word in common. */
const mayMatch = (person: Person, words: ReadonlySet<string>, candidate: Candidate): boolean =>
  (person.phone !== null && person.phone === candidate.phone) ||
  candidate.previous_surname !== null ||
  !words.isDisjointFrom(roughWords(candidate.name_key))
