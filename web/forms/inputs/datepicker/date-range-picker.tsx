import { type FocusEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import {
  TextField as AriaTextField,
  FieldErrorContext,
  Group,
  Input,
  Label,
  LabelContext,
  Provider,
  TextContext,
} from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'
import { FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { controlClass, controlRing, fieldClass, inputClass } from '../../../ui/controls/field-styles.ts'
import { CalendarButton, CalendarPopover, useCalendarPopover } from './calendar-popover.tsx'
import { type DateRange, findRangeError } from './date-error.ts'
import { calendarLabel, DATE_PLACEHOLDER, type DatepickerProps } from './datepicker.tsx'
import { useDateText } from './use-date-text.ts'

type RangeEnds = { [End in keyof DateRange]: string | null }

const NO_ENDS: RangeEnds = { start: null, end: null }
const isSame = (a: RangeEnds, b: RangeEnds) => a.start === b.start && a.end === b.end
const asRange = ({ start, end }: RangeEnds): DateRange | null => (start && end ? { start, end } : null)

/** A period of days, typed or chosen in a calendar; the value is null until both ends are set. */
export function DateRangePicker(props: DatepickerProps<DateRange>) {
  const { value, onChange, onErrorChange, onBlur, label, hideLabel, help, error, className } = props
  const { min, max, disabledDates, isRequired, isDisabled, placeholder, autoFocus } = props
  const bounds = { min, max, disabledDates }
  const id = useId()
  const [ends, setEnds] = useState<RangeEnds>(value ?? NO_ENDS)
  const [lastValue, setLastValue] = useState<RangeEnds>(value ?? NO_ENDS)
  if (!isSame(value ?? NO_ENDS, lastValue)) {
    setLastValue(value ?? NO_ENDS)
    // A period with one end has no value yet: its text is kept.
    if (!isSame(value ?? NO_ENDS, asRange(ends) ?? NO_ENDS)) setEnds(value ?? NO_ENDS)
  }
  const update = (next: RangeEnds) => {
    setEnds(next)
    onChange(asRange(next))
  }

  const calendar = useCalendarPopover()
  const startInput = useRef<HTMLInputElement>(null)
  const endInput = useRef<HTMLInputElement>(null)
  const start = useDateText(
    ends.start,
    (day) => update({ ...ends, start: day }),
    () => calendar.open(startInput.current),
  )
  const end = useDateText(
    ends.end,
    (day) => update({ ...ends, end: day }),
    () => calendar.open(endInput.current),
  )
  const textError = findRangeError({ start: start.text, end: end.text }, bounds)
  useEffect(() => onErrorChange(textError), [textError, onErrorChange])

  const handleBlur = (event: FocusEvent) => {
    if (!calendar.isOpen && !event.currentTarget.contains(event.relatedTarget)) onBlur()
  }
  const shownError = start.isHalfTyped || end.isHalfTyped ? null : error
  const purpose = `Alege perioada: ${label}`
  const shared = {
    calendar,
    purpose: calendarLabel(purpose, ends.start, ends.end),
    placeholder,
    isRequired,
    isDisabled,
    isInvalid: !!shownError,
    describedBy: [help && `${id}-help`, shownError && `${id}-error`].filter(Boolean).join(' '),
  }
  return (
    <>
      <Group
        aria-labelledby={`${id}-label`}
        isInvalid={!!shownError}
        isDisabled={isDisabled}
        className={classNames(fieldClass, className)}
        onBlur={handleBlur}
      >
        <Provider
          values={[
            [LabelContext, { id: `${id}-label`, elementType: 'span' }],
            [
              TextContext,
              { slots: { description: { id: `${id}-help` }, errorMessage: { id: `${id}-error` } } },
            ],
            [
              FieldErrorContext,
              { isInvalid: !!shownError, validationErrors: [], validationDetails: {} as ValidityState },
            ],
          ]}
        >
          <FieldLabel label={label} hideLabel={hideLabel} isRequired={isRequired} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))] gap-3">
            <RangeEnd {...shared} label="de la" input={startInput} date={start} autoFocus={autoFocus} />
            <RangeEnd {...shared} label="până la" input={endInput} date={end} />
          </div>
          <FieldNotes help={help} error={shownError} />
        </Provider>
      </Group>
      <CalendarPopover
        isRange
        calendar={calendar}
        label={purpose}
        bounds={bounds}
        openAt={
          calendar.field.current === endInput.current ? (ends.end ?? ends.start) : (ends.start ?? ends.end)
        }
        value={asRange(ends)}
        onChoose={(range) => {
          update(range)
          calendar.finish()
        }}
      />
    </>
  )
}

interface RangeEndProps {
  label: string
  input: RefObject<HTMLInputElement | null>
  date: ReturnType<typeof useDateText>
  calendar: ReturnType<typeof useCalendarPopover>
  purpose: string
  describedBy: string
  isInvalid: boolean
  placeholder: string | undefined
  isRequired: boolean
  isDisabled: boolean
  autoFocus?: boolean
}

function RangeEnd(props: RangeEndProps) {
  const { label, input, date, calendar, purpose, describedBy, placeholder = DATE_PLACEHOLDER } = props
  const { isInvalid, isRequired, isDisabled, autoFocus = false } = props
  return (
    <AriaTextField
      {...date.inputProps}
      validationBehavior="aria"
      aria-describedby={describedBy}
      isInvalid={isInvalid}
      isRequired={isRequired}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      className="group/field grid min-w-0 gap-1"
    >
      <Label className="text-sm text-muted">{label}</Label>
      <Group className={classNames(controlClass, controlRing)}>
        <Input ref={input} placeholder={placeholder} className={inputClass} />
        <span className="-my-px flex items-center pr-px text-muted">
          <CalendarButton
            calendar={calendar}
            input={input}
            label={`${purpose}, ${label}`}
            isDisabled={isDisabled}
          />
        </span>
      </Group>
    </AriaTextField>
  )
}
