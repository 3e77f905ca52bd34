import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useDebouncedText } from './use-debounced-text.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    keptSearch?: string | undefined
  }
}

/**
 * What people are searched for, in the page's history entry: going back or reloading finds it again. It does not stand in
 * the address, where names and CNPs must not be; a `q` that an address comes with is taken at its word once. Other
 * filters change the address with `state: true`, which keeps it. `text` stands in the field, `search` is what the list
 * answers.
 */
export function useHistorySearch() {
  const navigate = useNavigate()
  const q = useSearch({ strict: false, select: (search) => search.q })
  const kept = useLocation({ select: ({ state }) => state.keptSearch })
  const search = kept ?? q ?? ''

  const commit = useCallback(
    (next: string) =>
      void navigate({
        to: '.',
        search: ({ q: _, ...others }: Record<string, unknown>) => others as never,
        state: (state) => ({ ...state, keptSearch: next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )

  useEffect(() => {
    if (q !== undefined) commit(search)
  }, [q, search, commit])

  return { ...useDebouncedText(search, commit), search }
}
