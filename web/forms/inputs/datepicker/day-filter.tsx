import { useState } from 'react'
import { Datepicker } from './datepicker.tsx'

/** A date field that reports a day once it is complete. */
export function DayFilter({
  label,
  value,
  onChange,
  ...bounds
}: {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string | null) => void
}) {
  const [inputError, setInputError] = useState<string | null>(null)
  const [isTouched, setTouched] = useState(false)
  return (
    <Datepicker
      label={label}
      {...bounds}
      value={value ?? null}
      onChange={(day) => {
        if (day !== (value ?? null)) onChange(day)
      }}
      onErrorChange={setInputError}
      onBlur={() => setTouched(true)}
      error={isTouched ? inputError : null}
      isRequired={false}
      isDisabled={false}
      autoFocus={false}
    />
  )
}
