import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    uploadSearch?: string | undefined
  }
}

/** Milliseconds without a key after which the search is asked. */
const PAUSE = 250

/**
 * What uploads are searched for, in the page's history entry: going back or reloading finds it again. It does not stand
 * in the address, where names must not be; a `q` that an address comes with is taken at its word once. Other filters
 * change the address with `state: true`, which keeps it. `text` stands in the field, `search` is what the list answers.
 */
export function useKeptSearch() {
  const navigate = useNavigate()
  const q = useSearch({ strict: false, select: (search) => search.q })
  const kept = useLocation({ select: ({ state }) => state.uploadSearch })
  const search = kept ?? q ?? ''
  const [text, setText] = useState(search)
  const asked = useRef(search)

  const commit = useCallback(
    (next: string) => {
      asked.current = next
      void navigate({
        to: '.',
        search: ({ q: _, ...others }: Record<string, unknown>) => others as never,
        state: (state) => ({ ...state, uploadSearch: next }),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )

  // Another history entry, or filters that were cleared: the field follows.
  useEffect(() => {
    if (search === asked.current) return
    asked.current = search
    setText(search)
  }, [search])

  useEffect(() => {
    if (q !== undefined) commit(search)
  }, [q, search, commit])

  useEffect(() => {
    const wanted = text.trim()
    if (wanted === asked.current) return
    const timer = setTimeout(() => commit(wanted), PAUSE)
    return () => clearTimeout(timer)
  }, [text, commit])

  return { text, setText, search }
}
