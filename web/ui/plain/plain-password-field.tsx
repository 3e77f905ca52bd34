import { type KeyboardEvent, useState } from 'react'
import { PlainField, type PlainFieldProps } from './plain-field.tsx'
import { PlainIcon } from './plain-icon.tsx'

/** A password field with a button that shows the password and a warning while Caps Lock is on. */
export function PlainPasswordField({ help, onBlur, ...props }: Omit<PlainFieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <PlainField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="off"
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={(event) => {
        setCapsLock(false)
        onBlur?.(event)
      }}
      help={
        help || hasCapsLock ? (
          <>
            {help}
            <span role="status" className="block font-medium text-warning">
              {hasCapsLock && 'Caps Lock este activ.'}
            </span>
          </>
        ) : null
      }
      suffix={
        <button
          type="button"
          aria-label="Arată parola"
          data-tooltip="Arată parola"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="hit-square -my-px flex shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <PlainIcon name={isShown ? 'eye-off' : 'eye'} />
        </button>
      }
    />
  )
}
