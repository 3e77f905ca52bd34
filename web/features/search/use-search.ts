import { useEffect, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import type { SessionUser } from '../../session/session.ts'
import type { SearchClient } from './search-client.ts'
import { groupsOf, indicesOf, institutionRow, type SearchGroup, type SearchScope } from './search-groups.ts'

/** Milliseconds after the last key: each question is an entry of the journal. */
const DEBOUNCE_MS = 200
const HITS_PER_GROUP = 5

/** What the list shows, and the question that it answers. */
type SearchResponse = { question: string; groups: readonly SearchGroup[] }
type Failure = { question: string; error: unknown }

export type Search = {
  /** The last answer, null after a failure; while it is not that of what is typed, `isPending`. */
  answer: SearchResponse | null
  isPending: boolean
  /** Of the question that is asked now. */
  error: unknown
  retry: () => void
}

/** Answers `text` a moment after the last key; an answer that comes late, to what is no longer asked, is dropped. */
export function useSearch(
  client: SearchClient,
  text: string,
  scope: SearchScope,
  person: SessionUser,
): Search {
  const wanted = text.trim()
  const [attempt, setAttempt] = useState(0)
  const question = JSON.stringify([wanted, scope, attempt])
  const [response, setAnswer] = useState<SearchResponse | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is all of what is asked, the person stays
  useEffect(() => {
    let isCurrent = true
    const ask = async () => {
      try {
        const groups = await toResponse(client, wanted, scope, person)
        if (isCurrent) setAnswer({ question, groups })
      } catch (error) {
        if (!isCurrent) return
        setFailure({ question, error })
        setAnswer(null)
      }
    }
    const timer = setTimeout(() => void ask(), wanted === '' ? 0 : DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, question])

  const error = failure?.question === question ? failure.error : null
  return {
    answer: response,
    isPending: error === null && response?.question !== question,
    error,
    retry: () => setAttempt((before) => before + 1),
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
