import { useState } from 'react'
import { showToast } from '../ui/feedback/toast.tsx'
import type { TableProps } from '../ui/page/table.tsx'
import { errorMessage } from './client-error.ts'

/** What a list needs to go on after `endCursor`; null or undefined: that was all. */
export function useLoadMore(
  endCursor: string | null | undefined,
  fetchMore: (options: { variables: { after: string | null } }) => Promise<unknown>,
): NonNullable<TableProps<unknown>['more']> {
  const [isLoading, setLoading] = useState(false)
  const onLoadMore = async () => {
    setLoading(true)
    try {
      await fetchMore({ variables: { after: endCursor ?? null } })
    } catch (error) {
      showToast({
        tone: 'error',
        title: 'Restul listei nu a putut fi încărcat',
        description: errorMessage(error),
      })
    }
    setLoading(false)
  }
  return { hasMore: endCursor != null, isLoading, onLoadMore: () => void onLoadMore() }
}
