import type { ReactNode } from 'react'
import { formatPhone } from '../../../shared/phone.ts'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { ownRule } from '../own-rule.ts'
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
      {...fieldLook(context)}
      placeholder={placeholder}
      autoComplete={autoComplete}
      prefix={prefix}
      suffix={suffix}
      value={value ?? ''}
      onChange={setValue}
    />
  )
}

/** A phone number; the value is E.164. */
export const phone = defineInput<PhoneProps, string>(
  PhoneInput,
  ['placeholder', 'autoComplete', 'prefix', 'suffix'],
  { features: [ownRule('phone')], showValue: formatPhone },
)
