import { type Place, placesOf } from '../../../shared/access/places.ts'
import { queryWords, searchWords, wordsBeginWith } from '../../../shared/romania/names.ts'
import type { UserActor } from '../../context.ts'

/**
 * Returns the screens that the actor may open and whose title or keywords match the text; all of them if it
 * is empty.
 */
export function findScreens(actor: UserActor, text: string): Place[] {
  const wanted = queryWords(text)
  return placesOf(actor).filter(({ title, words }) =>
    wordsBeginWith(searchWords(`${title} ${words}`), wanted),
  )
}
