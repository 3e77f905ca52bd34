import { useState } from 'react'
import { completeDateText, formatDateText, parseDateText } from './date-text.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface DateFieldProps
  extends Omit<TextFieldProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'inputMode'> {
  /** yyyy-MM-dd. */
  value: string | null
  /** Called with the day, or null while the text is empty or no day. */
  onChange: (value: string | null) => void
}

/** A day, typed as dd.MM.yyyy. */
export function DateField({ value, onChange, error, onBlur, ...props }: DateFieldProps) {
  const [text, setText] = useState(formatDateText(value))
  const [isLeft, setLeft] = useState(false)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // Changed from outside (a CNP filled it in, the form was reset): the text follows.
    if (parseDateText(text) !== value) setText(formatDateText(value))
  }

  const isWrong = isLeft && text.trim() !== '' && parseDateText(text) === null
  return (
    <TextField
      placeholder="zz.ll.aaaa"
      maxLength={10}
      autoComplete="off"
      {...props}
      inputMode="numeric"
      value={text}
      onChange={(next) => {
        const completed = completeDateText(text, next)
        setText(completed)
        setLeft(false)
        onChange(parseDateText(completed))
      }}
      onBlur={(event) => {
        setLeft(true)
        const day = parseDateText(text)
        if (day) setText(formatDateText(day))
        onBlur?.(event)
      }}
      error={error || (isWrong ? 'Data nu există. Scrieți ziua, luna și anul: 03.04.1985.' : null)}
    />
  )
}
