import { useState } from 'react'
import { formatPhone, parsePhone } from '../../../../shared/romania/phone.ts'
import { TextField, type TextFieldProps } from '../../../ui/controls/text-field.tsx'

export interface PhoneFieldProps
  extends Omit<TextFieldProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'inputMode'> {
  /** E.164; empty for none. */
  value: string
  /** Called with E.164, with what was typed while that is no phone number yet, or with an empty text. */
  onChange: (value: string) => void
}

function readPhone(text: string): string {
  const parsed = parsePhone(text)
  return parsed.ok ? parsed.e164 : text.trim()
}

/** A phone number, typed as people like and grouped once the field is left. */
export function PhoneField({ value, onChange, onBlur, ...props }: PhoneFieldProps) {
  const [text, setText] = useState(formatPhone(value))
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // Changed from outside: the text follows.
    if (readPhone(text) !== value) setText(formatPhone(value))
  }
  return (
    <TextField
      autoComplete="off"
      maxLength={40}
      {...props}
      type="tel"
      inputMode="tel"
      value={text}
      onChange={(next) => {
        setText(next)
        onChange(readPhone(next))
      }}
      onBlur={(event) => {
        setText(formatPhone(readPhone(text)))
        onBlur?.(event)
      }}
    />
  )
}
