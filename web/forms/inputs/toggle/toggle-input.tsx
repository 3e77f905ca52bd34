import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { ToggleMany, ToggleOne, type ToggleOption, type ToggleStyleProps, ToggleSwitch } from './toggle.tsx'

export interface ToggleProps {
  /** The options; without options the input is a switch. */
  options?: readonly ToggleOption[] | undefined
  /** Whether several options may be chosen. */
  multiple?: boolean | undefined
  look?: ToggleStyleProps | undefined
}

/** A boolean for a switch; with options, the chosen value or null; with `multiple`, all chosen values. */
export type ToggleValue = boolean | string | null | readonly string[]

function ToggleInput({ context }: InputProps<ToggleProps, ToggleValue>) {
  const { options, multiple, look } = context
  const [value, setValue] = useFieldValue(context)
  const field = fieldBaseProps(context)
  if (!options) return <ToggleSwitch {...field} value={value === true} onChange={setValue} />
  const shared = { ...field, options: options as readonly ToggleOption[], look, onChange: setValue }
  return multiple ? (
    <ToggleMany {...shared} value={Array.isArray(value) ? value : []} />
  ) : (
    <ToggleOne {...shared} value={typeof value === 'string' ? value : null} />
  )
}

/** A switch, or a choice of one or several visible options [3.9]. */
export const toggle = defineInput<ToggleProps, ToggleValue>(ToggleInput, ['options', 'multiple', 'look'])
