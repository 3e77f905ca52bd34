import type { ReactNode } from 'react'
import { formatPhone } from '../../../../shared/romania/phone.ts'
import { customRule } from '../../core/custom-rule.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { PhoneField } from './phone-field.tsx'

export interface PhoneProps {
  placeholder?: string | undefined
  autoComplete?: string | undefined
  prefix?: ReactNode
  suffix?: ReactNode
}

function PhoneInput({ context }: InputProps<PhoneProps, string>) {
  const { placeholder, autoComplete = 'off', prefix, suffix } = context
  const [value, setValue] = useFieldValue(context)
  return (
    <PhoneField
      {...fieldBaseProps(context)}
      placeholder={placeholder}
      autoComplete={autoComplete}
      prefix={prefix}
      suffix={suffix}
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** A phone number; the value is in E.164. */
export const phone = defineInput<PhoneProps, string>(
  PhoneInput,
  ['placeholder', 'autoComplete', 'prefix', 'suffix'],
  { features: [customRule('phone')], showValue: formatPhone },
)
