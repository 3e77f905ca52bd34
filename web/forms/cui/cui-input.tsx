import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { MaskField } from '../mask/mask-field.tsx'
import { ownRule } from '../own-rule.ts'

function CuiInput({ context }: InputProps<object, string>) {
  const [value, setValue] = useFieldValue(context)
  return (
    <MaskField
      {...fieldLook(context)}
      mask="cui"
      inputMode="numeric"
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** The tax code of an organisation; the value is its digits, without the RO that may stand before them. */
export const cui = defineInput<object, string>(CuiInput, [], { features: [ownRule('cui')] })
