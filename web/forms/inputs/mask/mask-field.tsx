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
  /** A preset's name, or a mask as `parseMask` reads it. */
  mask: string
  value: string
  onChange: (value: string) => void
  /** The value is the bare characters, without the literals; else what is shown. */
  unmasked?: boolean | undefined
  /** The empty field shows the mask. */
  showMask?: boolean | undefined
}

/** A line of text that keeps to a mask while it is typed, pasted or deleted from. */
export function MaskField({
  mask: pattern,
  value,
  onChange,
  unmasked = true,
  showMask = false,
  ...props
}: MaskFieldProps) {
  const mask = useMemo(() => findMask(pattern), [pattern])
  const show = () => (unmasked ? fillMask(mask, value) : applyMask(mask, value)).shown
  const readValue = (masked: Masked) => (unmasked ? masked.bare : masked.shown)
  const [text, setText] = useState(show)
  const [last, setLast] = useState({ value, mask })
  if (value !== last.value || mask !== last.mask) {
    setLast({ value, mask })
    // Changed from outside: the text follows.
    if (mask !== last.mask || readValue(applyMask(mask, text)) !== value) setText(show())
  }

  const input = useRef<HTMLInputElement>(null)
  const isComposing = useRef(false)
  const caret = useRef<number | null>(null)
  useMaskedEdits(input, mask)
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  /** What came some other way than by an edit under the mask: undone, filled in by the browser, composed. */
  const take = (next: string) => {
    // What is being composed may pass through signs that the mask refuses.
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
      onChange={take}
      onBlur={(event) => {
        // Literals alone are no value, and must not look like one.
        if (text !== '' && applyMask(mask, text).bare === '') take('')
        props.onBlur?.(event)
      }}
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={(event) => {
        isComposing.current = false
        take(event.currentTarget.value)
      }}
    />
  )
}

/**
 * Brings an edit under the mask before the browser makes it, and has the browser make that one instead: so there is one step
 * to undo, and the caret never jumps.
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

/** The edit that an event is about to make; null for those that are only seen once they are made. */
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

/** Puts a text into a field as if it had been typed: `execCommand` alone leaves the browser's undo whole, where it is known. */
function replaceText(field: HTMLInputElement, text: string): void {
  const before = field.value
  if (text === before) return
  const shorter = Math.min(before.length, text.length)
  let start = 0
  while (start < shorter && before[start] === text[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end++
  const inserted = text.slice(start, text.length - end)
  field.setSelectionRange(start, before.length - end)
  if (document.execCommand(inserted ? 'insertText' : 'delete', false, inserted)) return
  field.setRangeText(inserted)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
