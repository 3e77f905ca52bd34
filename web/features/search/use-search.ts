import { useEffect, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import type { SessionUser } from '../../session/session.ts'
import type { SearchClient } from './search-client.ts'
import { groupsOf, indicesOf, institutionRow, type SearchGroup, type SearchScope } from './search-groups.ts'

/** The delay after the last key; the audit log records each search. */
const DEBOUNCE_MS = 200
const HITS_PER_GROUP = 5

/** The shown results, and the query that they belong to. */
type SearchResponse = { queryKey: string; groups: readonly SearchGroup[] }
type Failure = { queryKey: string; error: unknown }

export type Search = {
  /** The last response, null after a failure; while it belongs to an earlier query, `isPending` is true. */
  response: SearchResponse | null
  isPending: boolean
  /** The error of the current query; null if there is none. */
  error: unknown
  retry: () => void
}

/** Searches for `text` after a delay since the last key; discards a late response to an earlier query. */
export function useSearch(
  client: SearchClient,
  text: string,
  scope: SearchScope,
  person: SessionUser,
): Search {
  const query = text.trim()
  const [attempt, setAttempt] = useState(0)
  const queryKey = JSON.stringify([query, scope, attempt])
  const [response, setResponse] = useState<SearchResponse | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains all parameters, and the user does not change
  useEffect(() => {
    let isCurrent = true
    const run = async () => {
      try {
        const groups = await toResponse(client, query, scope, person)
        if (isCurrent) setResponse({ queryKey, groups })
      } catch (error) {
        if (!isCurrent) return
        setFailure({ queryKey, error })
        setResponse(null)
      }
    }
    const timer = setTimeout(() => void run(), query === '' ? 0 : DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, queryKey])

  const error = failure?.queryKey === queryKey ? failure.error : null
  return {
    response,
    isPending: error === null && response?.queryKey !== queryKey,
    error,
    retry: () => setAttempt((count) => count + 1),
  }
}

async function toResponse(
  client: SearchClient,
  text: string,
  scope: SearchScope,
  person: SessionUser,
): Promise<SearchGroup[]> {
  if (text.length < LIMITS.searchTextMin && scope === 'institutions') {
    const rows = (await client.recommendInstitutions()).map(institutionRow)
    return rows.length > 0 ? [{ id: 'institutions', title: 'Căutate des', rows }] : []
  }
  const indices = indicesOf(scope, person)
  const requested =
    text.length < LIMITS.searchTextMin ? indices.filter((index) => index === 'screens') : indices
  if (requested.length === 0) return []
  const hitsPerPage = scope === 'all' && text !== '' ? HITS_PER_GROUP : LIMITS.searchHits
  const { results } = await client.search(
    requested.map((indexName) => ({ indexName, query: text, params: { hitsPerPage } })),
  )
  return groupsOf(results, person)
}
