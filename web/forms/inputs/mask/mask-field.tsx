import { useMaskito } from '@maskito/react'
import { useMemo, useState } from 'react'
import { TextField, type TextFieldProps } from '../../../ui/controls/text-field.tsx'
import { applyMask, drawMask, fillMask, keyboardOf, type Masked } from './mask.ts'
import { findMask } from './mask-presets.ts'

export interface MaskFieldProps
  extends Omit<TextFieldProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'maxLength' | 'ref'> {
  /** The name of a preset, or a pattern for `parseMask`. */
  mask: string
  value: string
  onChange: (value: string) => void
  /** Whether the value is the bare characters without literals (default), else the shown text. */
  unmasked?: boolean | undefined
  /** Whether the empty field shows the mask. */
  showMask?: boolean | undefined
}

/** A text field that enforces a mask while its text is typed, pasted or deleted. */
export function MaskField({
  mask: pattern,
  value,
  onChange,
  unmasked = true,
  showMask = false,
  ...props
}: MaskFieldProps) {
  const mask = useMemo(() => findMask(pattern), [pattern])
  const input = useMaskito({ options: mask.options })
  const formatValue = () => (unmasked ? fillMask(mask, value) : applyMask(mask, value)).shown
  const readValue = (masked: Masked) => (unmasked ? masked.bare : masked.shown)
  const [text, setText] = useState(formatValue)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    if (readValue(applyMask(mask, text)) !== value) setText(formatValue())
  }
  const handleChange = (next: string) => {
    setText(next)
    onChange(readValue(applyMask(mask, next)))
  }
  return (
    <TextField
      autoComplete="off"
      spellCheck="false"
      inputMode={keyboardOf(mask)}
      {...(showMask && { placeholder: drawMask(mask) })}
      {...props}
      ref={input}
      value={text}
      onChange={handleChange}
      onBlur={(event) => {
        // A text of literals only is not a value, so the field is emptied.
        if (text !== '' && applyMask(mask, text).bare === '') handleChange('')
        props.onBlur?.(event)
      }}
    />
  )
}
