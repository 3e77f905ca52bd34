import { useEffect, useState } from 'react'

/** Milliseconds after the last key. */
const settleAfter = 250

/**
 * The text of a search field: handed to `onSettle` a moment after the last key, and following `value` (the address) where
 * that changes otherwise: the back key, a link.
 */
export function useSettledText(
  value: string,
  onSettle: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  const [settled, setSettled] = useState(value)
  if (value !== settled) {
    setSettled(value)
    setText(value)
  }
  useEffect(() => {
    if (text === settled) return
    const timer = setTimeout(() => {
      setSettled(text)
      onSettle(text)
    }, settleAfter)
    return () => clearTimeout(timer)
  })
  return [text, setText]
}
