import { PlainPasswordField } from '../../../ui/plain/plain-password-field.tsx'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'

export interface PasswordProps {
  autoComplete: 'current-password' | 'new-password'
}

function PasswordInput({ context }: InputProps<PasswordProps, string>) {
  const { label, help, error, isDisabled, autoFocus, onBlur } = fieldBaseProps(context)
  const [value, setValue] = useFieldValue(context)
  return (
    <PlainPasswordField
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

/** A password with a button that shows it. */
export const password = defineInput<PasswordProps, string>(PasswordInput, ['autoComplete'])
