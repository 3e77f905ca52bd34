import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SETTLE_AFTER } from './settle-after.ts'

/**
 * The text of a search field: handed to `onSettle`, trimmed, a moment after the last key, and following `value` where that
 * changes otherwise: the back key, a link. `settle` does not wait. `isDebouncing` from the first key until `value` is the
 * text in the field.
 */
export function useSettledText(
  value: string,
  onSettle: (text: string) => void,
): { text: string; setText: (text: string) => void; settle: () => void; isDebouncing: boolean } {
  const router = useRouter()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [text, setText] = useState(value)
  const settled = useRef(value)

  useEffect(() => {
    if (value === settled.current) return
    settled.current = value
    setText(value)
  }, [value])

  const settle = () => {
    const wanted = text.trim()
    // On the way to another screen: what the field asks for must not call the person back.
    if (wanted === settled.current || router.latestLocation.pathname !== pathname) return
    settled.current = wanted
    onSettle(wanted)
  }
  const latest = useRef(settle)
  latest.current = settle

  // biome-ignore lint/correctness/useExhaustiveDependencies: each key starts the pause anew
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), SETTLE_AFTER)
    return () => clearTimeout(timer)
  }, [text])

  return { text, setText, settle, isDebouncing: text.trim() !== value }
}
