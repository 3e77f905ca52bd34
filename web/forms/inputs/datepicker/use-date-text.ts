import { type ClipboardEvent, useState } from 'react'
import type { KeyboardEvent } from 'react-aria-components'
import { isUnreadable } from './date-error.ts'
import { completeDateText, formatDateText, parseDateText } from './date-text.ts'

/** The text of a field that holds a day; `onOpen` when the keyboard asks for the calendar. */
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
    // Changed from outside (a CNP filled it in, the form was reset): the text follows.
    if (parseDateText(text) !== value) setText(formatDateText(value))
  }
  const write = (next: string) => {
    setText(next)
    onChange(parseDateText(next))
  }

  return {
    text,
    /** No day yet, but it may become one: not the moment to say that it is wrong. */
    isHalfTyped: isTyping && isUnreadable(text),
    take: (day: string) => write(formatDateText(day)),
    fieldProps: {
      inputMode: 'numeric' as const,
      maxLength: 10,
      autoComplete: 'off',
      value: text,
      onChange: (next: string) => {
        setTyping(true)
        write(completeDateText(text, next))
      },
      // Pasted with spaces it may be longer than the box takes.
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
