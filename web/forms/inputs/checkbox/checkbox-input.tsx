import { Checkbox } from '../../../ui/controls/checkbox.tsx'
import { defineInput, fieldBaseProps, fieldError, type InputProps, useFieldValue } from '../../core/input.ts'

function CheckboxInput({ context }: InputProps<object, boolean>) {
  const [value = false, setValue] = useFieldValue(context)
  const { label, help, className, isDisabled, autoFocus, onBlur } = fieldBaseProps(context)
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
