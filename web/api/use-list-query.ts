import type { OperationVariables, TypedDocumentNode, WatchQueryFetchPolicy } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from './client-error.ts'
import { useLoadMore } from './use-load-more.ts'

interface Page {
  nodes: readonly unknown[]
  endCursor: string | null
}

interface Last<P> {
  /** The last answer, whatever its question; null after a failure. */
  page: P | null
  failure: { question: string; error: unknown } | null
}

interface ListOptions<Variables> {
  variables: Variables
  fetchPolicy?: WatchQueryFetchPolicy
  /** Nothing is asked yet. */
  skip?: boolean
  /** The search field holds a text that is not in the variables yet. */
  isDebouncing?: boolean
}

/**
 * A list that is read page by page. `page` answers the present variables; while their answer is under way it may be the
 * answer before, which `ListRegion` shows dimmed and inert. It is null where there is nothing to show, or after a failure.
 */
export function useListQuery<Data, Variables extends OperationVariables, P extends Page>(
  query: TypedDocumentNode<Data, Variables>,
  pageOf: (data: Data) => P,
  { isDebouncing = false, ...options }: ListOptions<Variables>,
) {
  const { data, error, loading, refetch, fetchMore } = useQuery(query as TypedDocumentNode<Data>, options)
  const [last, setLast] = useState<Last<P>>({ page: null, failure: null })
  const question = JSON.stringify(options.variables)
  // Apollo drops `data` with the variables it answers, so it is never that of another question.
  const response = data ? pageOf(data) : null
  if (response && response !== last.page) setLast({ page: response, failure: null })
  else if (!response && error && error !== last.failure?.error)
    setLast({ page: null, failure: { question, error } })

  const failure = !isDebouncing && last.failure?.question === question ? last.failure.error : null
  const isBusy = isDebouncing || (response === null && failure === null)
  // „Nothing found“ under another text would be false: an empty list is not kept.
  const before = last.page && last.page.nodes.length > 0 ? last.page : null
  const page = isBusy ? before : response
  const readAnew = () => void refetch().catch(() => undefined)

  return {
    page,
    /** The data of the present question, where it is there. */
    data: isDebouncing ? undefined : data,
    isBusy,
    /** Why there is no answer to the present question; null where there is one, or none yet. */
    error: failure,
    readAnew,
    more: useLoadMore(page?.endCursor, fetchMore),
    /** What `ListRegion` needs. */
    region: {
      isBusy,
      isOutdated: isBusy && page !== null,
      failure: failure === null ? null : errorMessage(failure),
      refreshFailure: response && error && !loading ? errorMessage(error) : null,
      isRetrying: failure !== null && loading,
      onRetry: readAnew,
    },
  }
}
