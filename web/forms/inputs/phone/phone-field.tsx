import { useState } from 'react'
import { formatPhone, parsePhone } from '../../../../shared/romania/phone.ts'
import { TextField, type TextFieldProps } from '../../../ui/controls/text-field.tsx'

export interface PhoneFieldProps
  extends Omit<TextFieldProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'inputMode'> {
  /** In E.164; an empty text for no number. */
  value: string
  /** Called with E.164, with the typed text while it is not a phone number, or with an empty text. */
  onChange: (value: string) => void
}

function readPhone(text: string): string {
  const parsed = parsePhone(text)
  return parsed.ok ? parsed.e164 : text.trim()
}

/** A phone number, typed in any notation and formatted when the field loses focus. */
export function PhoneField({ value, onChange, onBlur, ...props }: PhoneFieldProps) {
  const [text, setText] = useState(formatPhone(value))
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // The value was changed by the form: the text follows.
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
