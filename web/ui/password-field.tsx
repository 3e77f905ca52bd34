import { useState } from 'react'
import { IconButton } from './button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password that can be shown while it is typed. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck="false"
      suffix={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          label={isShown ? 'Ascunde parola' : 'Arată parola'}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  )
}
