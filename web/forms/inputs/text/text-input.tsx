import type { ReactNode } from 'react'
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'

export interface TextProps {
  placeholder?: string | undefined
  maxLength?: number | undefined
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | 'url' | 'search' | undefined
  autoComplete?: string | undefined
  spellCheck?: 'true' | 'false' | undefined
  /** Inside the box, before the text: an icon or a symbol. */
  prefix?: ReactNode
  /** Inside the box, after the text: a unit or a button. */
  suffix?: ReactNode
}

const PROPS: (keyof TextProps)[] = [
  'placeholder',
  'maxLength',
  'inputMode',
  'autoComplete',
  'spellCheck',
  'prefix',
  'suffix',
]

function TextInput({ context }: InputProps<TextProps, string>) {
  const { placeholder, maxLength, inputMode, autoComplete = 'off', spellCheck, prefix, suffix } = context
  const [value = '', setValue] = useFieldValue(context)
  return (
    <TextField
      {...fieldBaseProps(context)}
      type={context.type as 'text' | 'email' | 'tel' | 'url' | 'password'}
      placeholder={placeholder}
      autoComplete={autoComplete}
      prefix={prefix}
      suffix={suffix}
      {...(maxLength && { maxLength })}
      {...(inputMode && { inputMode })}
      {...(spellCheck && { spellCheck })}
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** A text of one line; `type` sets the browser's on-screen keyboard. */
export const text = defineInput<TextProps, string>(TextInput, PROPS)

export interface TextareaProps {
  placeholder?: string | undefined
  maxLength?: number | undefined
  rows?: number | undefined
}

function TextareaInput({ context }: InputProps<TextareaProps, string>) {
  const { placeholder, maxLength, rows } = context
  const [value = '', setValue] = useFieldValue(context)
  return (
    <TextArea
      {...fieldBaseProps(context)}
      placeholder={placeholder}
      rows={rows}
      {...(maxLength && { maxLength })}
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

export const textarea = defineInput<TextareaProps, string>(TextareaInput, [
  'placeholder',
  'maxLength',
  'rows',
])
