import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useDebouncedText } from './use-debounced-text.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    keptSearch?: string | undefined
  }
}

/**
 * Keeps the search text in the page's history entry, so that going back or reloading restores the text. Names
 * and CNPs must not appear in the address, so a `q` parameter of an address is read once and removed. Other
 * filters must change the address with `state: true`, which keeps the search; `text` is the field's text,
 * `search` is the text of the list's query.
 */
export function useHistorySearch() {
  const navigate = useNavigate()
  const q = useSearch({ strict: false, select: (search) => search.q })
  const keptSearch = useLocation({ select: ({ state }) => state.keptSearch })
  const search = keptSearch ?? q ?? ''

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
