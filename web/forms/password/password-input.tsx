import { NativePasswordField } from '../../ui/native-password-field.tsx'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'

export interface PasswordProps {
  autoComplete: 'current-password' | 'new-password'
}

function PasswordInput({ context }: InputProps<PasswordProps, string>) {
  const { label, help, error, isDisabled, autoFocus, onBlur } = fieldLook(context)
  const [value, setValue] = useFieldValue(context)
  return (
    <NativePasswordField
      label={label}
      help={help}
      error={error}
      disabled={isDisabled}
      autoFocus={autoFocus}
      autoComplete={context.autoComplete}
      value={value ?? ''}
      onChange={(event) => setValue(event.target.value)}
      onBlur={onBlur}
    />
  )
}

/** A password that can be shown while it is typed. */
export const password = defineInput<PasswordProps, string>(PasswordInput, ['autoComplete'])
