import { type ClipboardEvent, useState } from 'react'
import type { KeyboardEvent } from 'react-aria-components'
import { isUnreadable } from './date-error.ts'
import { completeDateText, formatDateText, parseDateText } from './date-text.ts'

/** Keeps the text of a field for a day. `onOpen` is called when the keyboard opens the calendar (Alt+↓). */
export function useDateText(
  value: string | null,
  onChange: (value: string | null) => void,
  onOpen: () => void,
) {
  const [text, setText] = useState(() => formatDateText(value))
  const [isTyping, setTyping] = useState(false)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // The form changed the value (filled in from a CNP, reset): the text follows.
    if (parseDateText(text) !== value) setText(formatDateText(value))
  }
  const write = (next: string) => {
    setText(next)
    onChange(parseDateText(next))
  }

  return {
    text,
    /** The user is still typing a text that is not a date yet, so no error is shown. */
    isHalfTyped: isTyping && isUnreadable(text),
    setDay: (day: string) => write(formatDateText(day)),
    inputProps: {
      inputMode: 'numeric' as const,
      maxLength: 10,
      autoComplete: 'off',
      value: text,
      onChange: (next: string) => {
        setTyping(true)
        write(completeDateText(text, next))
      },
      // A date pasted with spaces may exceed `maxLength`.
      onPaste: (event: ClipboardEvent) => {
        const day = parseDateText(event.clipboardData.getData('text'))
        if (day === null) return
        event.preventDefault()
        write(formatDateText(day))
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'ArrowDown' && event.altKey) {
          event.preventDefault()
          onOpen()
          return
        }
        if (event.key === 'Enter') setTyping(false)
        event.continuePropagation()
      },
      onBlur: () => {
        setTyping(false)
        const day = parseDateText(text)
        if (day) setText(formatDateText(day))
      },
    },
  }
}
