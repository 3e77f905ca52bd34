import { useState } from 'react'
import { REVERSED_MESSAGE } from './date-error.ts'
import { Datepicker } from './datepicker.tsx'

/** One end of a period, whose other end is a bound; it reports a day once it is complete. */
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
      explainDisabled={() => REVERSED_MESSAGE}
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
