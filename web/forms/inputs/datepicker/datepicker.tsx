import { type FocusEvent, useEffect, useRef } from 'react'
import { Group } from 'react-aria-components'
import type { FieldBaseProps } from '../../../ui/controls/field.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { CalendarButton, CalendarPopover, useCalendarPopover } from './calendar-popover.tsx'
import type { DateBounds } from './date-bounds.ts'
import { findDateError } from './date-error.ts'
import { useDateText } from './use-date-text.ts'

export const DATE_PLACEHOLDER = 'zz.ll.aaaa'

export interface DatepickerProps<Value> extends FieldBaseProps, DateBounds {
  value: Value | null
  onChange: (value: Value | null) => void
  /** Called with the error of the text whenever the error changes; null for no error. */
  onErrorChange: (error: string | null) => void
  /** Called when the focus leaves the field, its button and its calendar. */
  onBlur: () => void
  placeholder?: string | undefined
  isRequired: boolean
  isDisabled: boolean
  autoFocus: boolean
}

const longDate = (day: string) =>
  new Date(`${day}T12:00:00`).toLocaleDateString('ro-RO', { dateStyle: 'long' })

/** Returns the accessible name of a calendar button: its purpose and the chosen days. */
export function calendarLabel(purpose: string, ...days: (string | null)[]): string {
  const chosen = days.filter((day) => day !== null).map(longDate)
  return chosen.length > 0 ? `${purpose}, acum ${chosen.join(' – ')}` : purpose
}

/** A day (yyyy-MM-dd), typed as dd.MM.yyyy or chosen in a calendar [3.10]. */
export function Datepicker(props: DatepickerProps<string>) {
  const { value, onChange, onErrorChange, onBlur, error, placeholder, ...others } = props
  const { min, max, disabledDates, explainDisabled, ...fieldProps } = others
  const bounds = { min, max, disabledDates, explainDisabled }
  const input = useRef<HTMLInputElement>(null)
  const calendar = useCalendarPopover()
  const date = useDateText(value, onChange, () => calendar.open(input.current))
  const textError = findDateError(date.text, bounds)
  useEffect(() => onErrorChange(textError), [textError, onErrorChange])

  const handleBlur = (event: FocusEvent) => {
    if (!calendar.isOpen && !event.currentTarget.contains(event.relatedTarget)) onBlur()
  }
  const purpose = `Alege data: ${fieldProps.label}`
  return (
    <>
      <Group role="presentation" className="contents" onBlur={handleBlur}>
        <TextField
          {...fieldProps}
          {...date.inputProps}
          placeholder={placeholder ?? DATE_PLACEHOLDER}
          ref={input}
          error={date.isHalfTyped ? null : error}
          suffix={
            <CalendarButton
              calendar={calendar}
              input={input}
              label={calendarLabel(purpose, value)}
              isDisabled={fieldProps.isDisabled}
            />
          }
        />
      </Group>
      <CalendarPopover
        calendar={calendar}
        label={purpose}
        bounds={bounds}
        openAt={value}
        value={value}
        onChoose={(day) => {
          date.setDay(day)
          calendar.finish()
        }}
      />
    </>
  )
}
