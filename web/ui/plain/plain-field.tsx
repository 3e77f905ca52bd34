import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { classNames } from '../base/class-names.ts'
import { controlClass, controlRing, fieldClass, inputClass } from '../controls/field-styles.ts'

export interface PlainFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'prefix'> {
  label: string
  help?: ReactNode
  /** Shown under the field, and marks the field as invalid. */
  error?: string | null | undefined
  /** Inside the box, after the text. */
  suffix?: ReactNode
}

/** A plain field for pages that do not load React Aria: sign-in and choosing a password. */
export function PlainField({ label, help, error, suffix, ...props }: PlainFieldProps) {
  const id = useId()
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={fieldClass} data-invalid={error ? '' : undefined}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className={classNames(controlClass, controlRing)}>
        <input
          {...props}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={notes || undefined}
          className={inputClass}
        />
        {suffix}
      </div>
      {help && (
        <div id={`${id}-help`} className="text-sm text-muted">
          {help}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
