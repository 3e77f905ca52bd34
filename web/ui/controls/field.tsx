import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import '../../styles/genesis.css'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'

/** What every field takes. Only React Aria's own parts read `isRequired`, `isDisabled`, `name` and the rest. */
export interface FieldBaseProps {
  label: string
  /** The label is read aloud only. */
  hideLabel?: boolean | undefined
  help?: ReactNode
  /** Shown under the field, which is then marked invalid. */
  error?: string | null | undefined
  className?: string | undefined
}

export function FieldLabel({
  label,
  hideLabel,
  isRequired,
}: {
  label: string
  hideLabel?: boolean | undefined
  isRequired?: boolean | undefined
}) {
  return (
    <Label className={classNames('formkit-label text-sm font-medium', hideLabel && 'sr-only')}>
      {label}
      {isRequired && (
        <span aria-hidden="true" className="ml-0.5 text-danger">
          *
        </span>
      )}
    </Label>
  )
}

export function FieldNotes({ help, error }: Pick<FieldBaseProps, 'help' | 'error'>) {
  return (
    <>
      {help && (
        <Text slot="description" className="formkit-help text-sm text-muted">
          {help}
        </Text>
      )}
      <FieldError className="formkit-messages flex items-start gap-1.5 text-sm text-danger">
        {({ validationErrors }) => (
          <>
            <Icon name="important" size={16} className="mt-0.5" />
            <span className="formkit-message">{error || validationErrors.join(' ')}</span>
          </>
        )}
      </FieldError>
    </>
  )
}
