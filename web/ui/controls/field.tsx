import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import '../../styles/genesis.css'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'

/**
 * The props of every field. Only React Aria's components read `isRequired`, `isDisabled`, `name` and the
 * rest.
 */
export interface FieldBaseProps {
  label: string
  /** Hides the label visually; screen readers still read it. */
  hideLabel?: boolean | undefined
  help?: ReactNode
  /** Shown under the field, and marks the field as invalid. */
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
