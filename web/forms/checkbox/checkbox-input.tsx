import { Checkbox } from '../../ui/checkbox.tsx'
import { defineInput, fieldError, fieldLook, type InputProps, useFieldValue } from '../input.ts'

function CheckboxInput({ context }: InputProps<object, boolean>) {
  const [value = false, setValue] = useFieldValue(context)
  const { label, help, className, isDisabled, autoFocus, onBlur } = fieldLook(context)
  return (
    <Checkbox
      className={className}
      help={fieldError(context) ?? help}
      isSelected={value === true}
      onChange={setValue}
      isDisabled={isDisabled}
      isInvalid={fieldError(context) !== null}
      autoFocus={autoFocus}
      onBlur={onBlur}
    >
      {label}
    </Checkbox>
  )
}

export const checkbox = defineInput<object, boolean>(CheckboxInput, [])
