import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { TextField, type TextFieldProps } from '../../../ui/controls/text-field.tsx'
import {
  applyMask,
  drawMask,
  type Edit,
  editMask,
  fillMask,
  keyboardOf,
  type Mask,
  type Masked,
  placeCaret,
} from './mask.ts'
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
  const formatValue = () => (unmasked ? fillMask(mask, value) : applyMask(mask, value)).shown
  const readValue = (masked: Masked) => (unmasked ? masked.bare : masked.shown)
  const [text, setText] = useState(formatValue)
  const [lastInput, setLastInput] = useState({ value, mask })
  if (value !== lastInput.value || mask !== lastInput.mask) {
    setLastInput({ value, mask })
    // The form changed the value: the text follows.
    if (mask !== lastInput.mask || readValue(applyMask(mask, text)) !== value) setText(formatValue())
  }

  const input = useRef<HTMLInputElement>(null)
  const isComposing = useRef(false)
  const caret = useRef<number | null>(null)
  useMaskedEdits(input, mask)
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  /** Handles changes that are not intercepted by `beforeinput`: undo, autofill, composition. */
  const handleChange = (next: string) => {
    // During composition, the text may contain characters that the mask rejects.
    if (isComposing.current) return setText(next)
    const masked = placeCaret(mask, next, input.current?.selectionEnd ?? next.length)
    if (masked.shown !== next) caret.current = masked.caret
    setText(masked.shown)
    onChange(readValue(masked))
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
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={(event) => {
        isComposing.current = false
        handleChange(event.currentTarget.value)
      }}
    />
  )
}

/**
 * Intercepts an edit in `beforeinput`, applies the mask, and lets the browser insert the result: there is one
 * undo step, and the caret does not jump.
 */
function useMaskedEdits(input: React.RefObject<HTMLInputElement | null>, mask: Mask) {
  useEffect(() => {
    const field = input.current
    if (!field) return
    const keepToMask = (event: InputEvent) => {
      const edit = event.isComposing ? null : editOf(event, field)
      if (!edit) return
      const masked = editMask(mask, field.value, edit)
      event.preventDefault()
      replaceText(field, masked.shown)
      field.setSelectionRange(masked.caret, masked.caret)
    }
    field.addEventListener('beforeinput', keepToMask)
    return () => field.removeEventListener('beforeinput', keepToMask)
  }, [input, mask])
}

/**
 * Returns the edit that a `beforeinput` event announces; null for edits that are handled after the change.
 */
function editOf(event: InputEvent, field: HTMLInputElement): Edit | null {
  const from = field.selectionStart ?? 0
  const to = field.selectionEnd ?? from
  const isCaret = from === to
  switch (event.inputType) {
    case 'insertText':
    case 'insertFromPaste': {
      const text = event.data ?? event.dataTransfer?.getData('text/plain')
      return text ? { from, to, text: text.normalize('NFC') } : null
    }
    case 'deleteContentBackward':
      return isCaret ? { from: Math.max(0, from - 1), to, text: '', reach: 'back' } : { from, to, text: '' }
    case 'deleteContentForward':
      return isCaret ? { from, to: to + 1, text: '', reach: 'forth' } : { from, to, text: '' }
    default:
      return null
  }
}

/**
 * Replaces the text of a field as if it had been typed. Only the deprecated `execCommand` keeps the browser's
 * undo history, so it is used where available.
 */
function replaceText(field: HTMLInputElement, text: string): void {
  const before = field.value
  if (text === before) return
  const shorterLength = Math.min(before.length, text.length)
  let start = 0
  while (start < shorterLength && before[start] === text[start]) start++
  let end = 0
  while (end < shorterLength - start && before.at(-1 - end) === text.at(-1 - end)) end++
  const inserted = text.slice(start, text.length - end)
  field.setSelectionRange(start, before.length - end)
  if (document.execCommand(inserted ? 'insertText' : 'delete', false, inserted)) return
  field.setRangeText(inserted)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
