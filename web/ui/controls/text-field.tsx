import type { ComponentPropsWithRef, ReactNode } from 'react'
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Group,
  Input,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { type FieldBaseProps, FieldLabel, FieldNotes } from './field.tsx'
import { controlClass, controlRing, fieldClass, inputClass } from './field-styles.ts'

type AriaProps = Omit<AriaTextFieldProps, 'children' | 'className' | 'style' | 'isInvalid'>

export interface TextFieldProps extends AriaProps, FieldBaseProps {
  placeholder?: string | undefined
  /** Inside the box, before the text: an icon, `+40`. */
  prefix?: ReactNode
  /** Inside the box, after the text: a button, a unit. */
  suffix?: ReactNode
  ref?: ComponentPropsWithRef<'input'>['ref']
}

export function TextField({
  label,
  hideLabel,
  help,
  error,
  className,
  placeholder,
  prefix,
  suffix,
  ref,
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      validationBehavior="aria"
      {...props}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      <Group className={classNames(controlClass, controlRing)}>
        {prefix && <span className="flex pl-3 text-muted">{prefix}</span>}
        <Input {...(ref ? { ref } : {})} {...(placeholder ? { placeholder } : {})} className={inputClass} />
        {suffix && <span className="-my-px flex items-center pr-px text-muted">{suffix}</span>}
      </Group>
      <FieldNotes help={help} error={error} />
    </AriaTextField>
  )
}

export interface TextAreaProps extends AriaProps, FieldBaseProps {
  placeholder?: string | undefined
  rows?: number | undefined
}

export function TextArea({
  label,
  hideLabel,
  help,
  error,
  className,
  placeholder,
  rows = 4,
  ...props
}: TextAreaProps) {
  return (
    <AriaTextField
      validationBehavior="aria"
      {...props}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      <AriaTextArea
        rows={rows}
        {...(placeholder ? { placeholder } : {})}
        className={classNames(
          controlClass,
          'field-sizing-content min-h-20 resize-y px-3 py-2 focus:-outline-offset-1',
        )}
      />
      <FieldNotes help={help} error={error} />
    </AriaTextField>
  )
}
