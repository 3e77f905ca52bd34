import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    patientSearch?: string | undefined
  }
}

/** Milliseconds without a key after which the search is asked. */
const PAUSE = 250

/**
 * What is searched for, in the page's history entry: going back or reloading finds it again. It does not stand in the
 * address, where names and CNPs must not be; an address that comes with `q` is taken at its word once.
 * `text` stands in the field, `search` is what the list answers.
 */
export function usePatientSearch() {
  const navigate = useNavigate()
  const q = useSearch({ from: '/admin-layout/patients', select: (search) => search.q })
  const kept = useLocation({ select: ({ state }) => state.patientSearch })
  const search = kept ?? q ?? ''
  const [text, setText] = useState(search)
  const asked = useRef(search)

  const commit = useCallback(
    (next: string) => {
      asked.current = next
      void navigate({
        to: '/patients',
        state: (state) => ({ ...state, patientSearch: next }),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )

  // Another history entry: the field follows.
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

  const searchNow = () => {
    if (text.trim() !== asked.current) commit(text.trim())
  }
  return { text, setText, search, searchNow }
}
