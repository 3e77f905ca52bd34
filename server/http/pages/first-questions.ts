import type { Screen } from '../../../shared/access/site-map.ts'
import type { Operations } from '../graphql/operations.ts'

/** A question that a page asks before its scripts have loaded: one of the product's documents with its hash, and the variables. */
export interface FirstQuestion {
  hash: string
  operationName: string
  query: string
  variables: Record<string, unknown>
}

/**
 * What a screen asks first, where its address without a query says all of it, the guard of the screen asks for no more than a member of
 * staff, and no live event could be missed between the answer and the start of the screen.
 */
const OPERATIONS: Readonly<Partial<Record<Screen, { name: string; variables: Record<string, unknown> }>>> = {
  '/patients': { name: 'Patients', variables: { search: '' } },
}

/** Returns the first questions of the screens; none in development, where the documents have no hashes. */
export function findFirstQuestions(operations: Operations): Readonly<Partial<Record<Screen, FirstQuestion>>> {
  if (operations.size === 0) return {}
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([screen, { name, variables }]) => {
      const found = [...operations].find(([, text]) => new RegExp(`^query ${name}\\b`, 'm').test(text))
      if (!found) throw new Error(`server/http/pages/first-questions.ts: the build has no query ${name}`)
      const [hash, query] = found
      return [screen, { hash, operationName: name, query, variables }]
    }),
  )
}
