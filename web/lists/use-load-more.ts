import { useState } from 'react'
import { errorMessage } from '../api/client-error.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import type { MorePages } from '../ui/page/load-more.tsx'

/**
 * Returns the props with which a list loads the page after `endCursor`; null or undefined means that there
 * are no more pages.
 */
export function useLoadMore(
  endCursor: string | null | undefined,
  fetchMore: (options: { variables: { after: string | null } }) => Promise<unknown>,
): MorePages {
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
