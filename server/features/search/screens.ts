import { type Place, placesOf } from '../../../shared/access/places.ts'
import { queryWords, searchWords } from '../../../shared/romania/names.ts'
import type { UserActor } from '../../context.ts'

/** The screens that the actor may open and that the text speaks of; all of them where it is empty. */
export function findScreens(actor: UserActor, text: string): Place[] {
  const wanted = queryWords(text)
  return placesOf(actor).filter(({ title, words }) => matchesAll(wanted, `${title} ${words}`))
}

/** Whether each word begins one of the text's. */
export function matchesAll(wanted: readonly string[], text: string): boolean {
  const words = searchWords(text)
  return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))
}
