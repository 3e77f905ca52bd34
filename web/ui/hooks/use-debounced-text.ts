import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DEBOUNCE_MS } from './debounce-ms.ts'

/**
 * Keeps the text of a search field and passes the trimmed text to `onDebounced` after `DEBOUNCE_MS`, or at
 * once on `flush`. The text follows `value` when `value` changes for another reason, such as the back button
 * or a link. `isDebouncing` is true while the trimmed text differs from `value`.
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
    const trimmed = text.trim()
    // If another screen is already being opened, a search must not navigate back to this one.
    if (trimmed === lastFlushed.current || router.latestLocation.pathname !== pathname) return
    lastFlushed.current = trimmed
    onDebounced(trimmed)
  }
  const latest = useRef(flush)
  latest.current = flush

  // biome-ignore lint/correctness/useExhaustiveDependencies: each key restarts the timer
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return { text, setText, flush, isDebouncing: text.trim() !== value }
}
