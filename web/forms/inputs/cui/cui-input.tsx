import { customRule } from '../../core/custom-rule.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { MaskField } from '../mask/mask-field.tsx'

function CuiInput({ context }: InputProps<object, string>) {
  const [value, setValue] = useFieldValue(context)
  return (
    <MaskField
      {...fieldBaseProps(context)}
      mask="cui"
      inputMode="numeric"
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** The tax code of an organisation (CUI); the value is its digits, without the optional RO prefix. */
export const cui = defineInput<object, string>(CuiInput, [], { features: [customRule('cui')] })
