import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ResultLine } from '../inbox.queries.ts'

/** The list of results on the screen, by which the open result leads to the next one. */
export interface ShownResults {
  results: readonly ResultLine[]
  more: { hasMore: boolean; isLoading: boolean; onLoadMore: () => void }
}

let shown: ShownResults | null = null
const listeners = new Set<() => void>()

function show(next: ShownResults | null): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Makes a list that is on the screen the one that the open result leads through; null while it loads. */
export function useShowResults(results: readonly ResultLine[] | null, more: ShownResults['more']): void {
  const { hasMore, isLoading } = more
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onLoadMore` is another function at each render
  useEffect(() => {
    show(results && { results, more })
  }, [results, hasMore, isLoading])
  useEffect(() => () => show(null), [])
}

/**
 * Returns the list in which the open result is, in the order in which it was opened: the list on the screen drops a result
 * that was withdrawn, or read under a filter. Null without a list.
 */
export function useOrderOf(id: string): ShownResults | null {
  const current = useSyncExternalStore(subscribe, () => shown)
  const [order, setOrder] = useState<ShownResults | null>(null)
  const has = (list: ShownResults | null) => list?.results.some((result) => result.id === id) ?? false
  if (current && current !== order && (has(current) || !has(order))) setOrder(current)
  return order
}
