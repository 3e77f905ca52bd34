import type { OperationVariables, TypedDocumentNode, WatchQueryFetchPolicy } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../api/client-error.ts'
import { useLoadMore } from './use-load-more.ts'

interface Page {
  nodes: readonly unknown[]
  endCursor: string | null
}

interface LastResult<P> {
  /** The page loaded last, also for earlier variables; null after a failure. */
  page: P | null
  failure: { variablesKey: string; error: unknown } | null
}

interface ListOptions<Variables> {
  variables: Variables
  fetchPolicy?: WatchQueryFetchPolicy
  /** Whether no request is sent yet. */
  skip?: boolean
  /** Whether the search field contains a text that is not in the variables yet. */
  isDebouncing?: boolean
}

/**
 * Loads a list page by page. `page` is the result for the current variables; while it loads, `page` may be
 * the previous result, which `ListRegion` shows dimmed and inert. It is null if there is nothing to show, or
 * after a failure.
 */
export function useListQuery<Data, Variables extends OperationVariables, P extends Page>(
  query: TypedDocumentNode<Data, Variables>,
  pageOf: (data: Data) => P,
  { isDebouncing = false, ...options }: ListOptions<Variables>,
) {
  const { data, error, loading, refetch, fetchMore } = useQuery(query as TypedDocumentNode<Data>, options)
  const [last, setLast] = useState<LastResult<P>>({ page: null, failure: null })
  const variablesKey = JSON.stringify(options.variables)
  // Apollo drops `data` when the variables change, so `data` never belongs to other variables.
  const currentPage = data ? pageOf(data) : null
  if (currentPage && currentPage !== last.page) setLast({ page: currentPage, failure: null })
  else if (!currentPage && error && error !== last.failure?.error)
    setLast({ page: null, failure: { variablesKey, error } })

  const failure = !isDebouncing && last.failure?.variablesKey === variablesKey ? last.failure.error : null
  const isBusy = isDebouncing || (currentPage === null && failure === null)
  // An empty list is not kept: “nothing found” would be false for another search text.
  const previous = last.page && last.page.nodes.length > 0 ? last.page : null
  const page = isBusy ? previous : currentPage
  const reload = () => void refetch().catch(() => undefined)

  return {
    page,
    /** The data for the current variables; undefined until loaded. */
    data: isDebouncing ? undefined : data,
    isBusy,
    /** The error of the request with the current variables; null if there is none. */
    error: failure,
    reload,
    more: useLoadMore(page?.endCursor, fetchMore),
    /** The props of `ListRegion`. */
    region: {
      isBusy,
      isOutdated: isBusy && page !== null,
      failure: failure === null ? null : errorMessage(failure),
      refreshFailure: currentPage && error && !loading ? errorMessage(error) : null,
      isRetrying: failure !== null && loading,
      onRetry: reload,
    },
  }
}
