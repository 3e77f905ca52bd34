import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DEBOUNCE_MS } from './debounce-ms.ts'

/**
 * The text of a search field: handed to `onSettle`, trimmed, a moment after the last key, and following `value` where that
 * changes otherwise: the back key, a link. `waitForStablePage` does not wait. `isDebouncing` from the first key until `value` is the
 * text in the field.
 */
export function useDebouncedText(
  value: string,
  onDebounced: (text: string) => void,
): { text: string; setText: (text: string) => void; flush: () => void; isDebouncing: boolean } {
  const router = useRouter()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [text, setText] = useState(value)
  const lastFlushed = useRef(value)

  useEffect(() => {
    if (value === lastFlushed.current) return
    lastFlushed.current = value
    setText(value)
  }, [value])

  const flush = () => {
    const wanted = text.trim()
    // On the way to another screen: what the field asks for must not call the person back.
    if (wanted === lastFlushed.current || router.latestLocation.pathname !== pathname) return
    lastFlushed.current = wanted
    onDebounced(wanted)
  }
  const latest = useRef(flush)
  latest.current = flush

  // biome-ignore lint/correctness/useExhaustiveDependencies: each key starts the pause anew
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return { text, setText, flush, isDebouncing: text.trim() !== value }
}
