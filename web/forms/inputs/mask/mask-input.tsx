import type { FormKitNode } from '@formkit/core'
import type { ReactNode } from 'react'
import { setCustomError } from '../../core/custom-error.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { applyMask, fillMask } from './mask.ts'
import { MaskField } from './mask-field.tsx'
import { findMask, type MaskPreset } from './mask-presets.ts'

export interface MaskProps {
  /** The name of a preset, or a pattern: `##.##.####`, `[+40 ]### ### ###`. */
  mask: MaskPreset | (string & {})
  /** Whether the value is the bare characters without literals (default), else the shown text. */
  unmasked?: boolean | undefined
  /** Whether the empty field shows the mask. */
  showMask?: boolean | undefined
  autoComplete?: string | undefined
  prefix?: ReactNode
  suffix?: ReactNode
}

function MaskInput({ context }: InputProps<MaskProps, string>) {
  const { mask = '', unmasked, showMask, autoComplete = 'off', prefix, suffix } = context
  const [value, setValue] = useFieldValue(context)
  return (
    <MaskField
      {...fieldBaseProps(context)}
      mask={mask}
      unmasked={unmasked}
      showMask={showMask}
      autoComplete={autoComplete}
      prefix={prefix}
      suffix={suffix}
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** Blocks the form while the value is incomplete; an empty value is complete. */
function blockIncomplete(node: FormKitNode): void {
  const check = () => {
    const { mask, unmasked = true, label } = node.props
    const value = String(node.value ?? '')
    const read = unmasked ? fillMask : applyMask
    const isComplete = value === '' || read(findMask(mask ?? ''), value).isComplete
    setCustomError(node, isComplete ? null : `${label ?? node.name} nu este complet.`)
  }
  node.on('created', () => {
    check()
    // Registered after the listener of the rules, which removes all messages of the field when its rules
    // change.
    for (const event of ['commit', 'prop:mask', 'prop:unmasked', 'prop:label', 'prop:validation'])
      node.on(event, check)
  })
}

/**
 * A text field with a mask; the value is the bare characters, or with `unmasked={false}` the shown text
 * [3.10].
 */
export const mask = defineInput<MaskProps, string>(
  MaskInput,
  ['mask', 'unmasked', 'showMask', 'autoComplete', 'prefix', 'suffix'],
  { features: [blockIncomplete] },
)
