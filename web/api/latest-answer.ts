import { ApolloLink, Observable } from '@apollo/client'
import { OperationTypeNode } from 'graphql'

/** Equal queries that are under way; `latest`: the answer of the one that was sent last, of those that were answered. */
type Equal = { sent: number; open: number; latest: { place: number; result: ApolloLink.Result } | null }

/**
 * Gives a query whose answer comes after that of an equal one, which was sent later, the later answer: what was read before
 * never replaces what was read since.
 */
export function takeLatestAnswer(): ApolloLink {
  const underWay = new Map<string, Equal>()
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation)
    const key = `${operation.operationName} ${JSON.stringify(operation.variables)}`
    return new Observable((observer) => {
      const equal = underWay.get(key) ?? { sent: 0, open: 0, latest: null }
      underWay.set(key, equal)
      const place = equal.sent++
      equal.open += 1
      const findLater = () => (equal.latest && equal.latest.place > place ? equal.latest.result : null)
      const subscription = forward(operation).subscribe({
        next: (result) => {
          // The parts of an incremental response belong together.
          if ('hasNext' in result) return observer.next(result)
          const later = findLater()
          if (!later && !result.errors) equal.latest = { place, result }
          observer.next(later ?? result)
        },
        error: (error) => {
          const later = findLater()
          if (!later) return observer.error(error)
          observer.next(later)
          observer.complete()
        },
        complete: () => observer.complete(),
      })
      return () => {
        subscription.unsubscribe()
        equal.open -= 1
        if (equal.open === 0) underWay.delete(key)
      }
    })
  })
}
