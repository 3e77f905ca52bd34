import type { FormKitNode } from '@formkit/core'
import type { ReactNode } from 'react'
import { setCustomError } from '../../core/custom-error.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { applyMask, fillMask } from './mask.ts'
import { MaskField } from './mask-field.tsx'
import { findMask, type MaskPreset } from './mask-presets.ts'

export interface MaskProps {
  /** A preset's name, or a mask of its own: `##.##.####`, `[+40 ]### ### ###`. */
  mask: MaskPreset | (string & {})
  /** The value is the bare characters, without the literals (default); else what is shown. */
  unmasked?: boolean | undefined
  /** The empty field shows the mask. */
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

/** Blocks the form while something stands in the mask, but not all that belongs there. */
function blockIncomplete(node: FormKitNode): void {
  const check = () => {
    const { mask, unmasked = true, label } = node.props
    const value = String(node.value ?? '')
    const read = unmasked ? fillMask : applyMask
    const isWhole = value === '' || read(findMask(mask ?? ''), value).isComplete
    setCustomError(node, isWhole ? null : `${label ?? node.name} nu este complet.`)
  }
  node.on('created', () => {
    check()
    // After the rules' own listener, which drops every message of the field where its rules have changed.
    for (const event of ['commit', 'prop:mask', 'prop:unmasked', 'prop:label', 'prop:validation'])
      node.on(event, check)
  })
}

/** A line of text under a mask; the value is its bare characters, or with `unmasked={false}` what is shown [3.10]. */
export const mask = defineInput<MaskProps, string>(
  MaskInput,
  ['mask', 'unmasked', 'showMask', 'autoComplete', 'prefix', 'suffix'],
  { features: [blockIncomplete] },
)
