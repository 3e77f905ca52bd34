import { type CalendarDate, getLocalTimeZone, parseDate, today } from '@internationalized/date'
import { useState } from 'react'
import { Calendar, RangeCalendar } from 'react-aria-components'
import { CalendarViews } from './calendar-views.tsx'
import { type DateBounds, findKeyboardDate, findOpeningDate, isDateDisabled } from './date-bounds.ts'
import type { DateRange } from './date-error.ts'

interface DayChoice {
  isRange?: false
  value: string | null
  onChoose: (day: string) => void
}

interface RangeChoice {
  isRange: true
  value: DateRange | null
  onChoose: (range: DateRange) => void
}

export type CalendarPanelProps = (DayChoice | RangeChoice) & {
  label: string
  bounds: DateBounds
  /** yyyy-MM-dd; null for today. */
  openAt: string | null
}

/** The content of the calendar popover: views of days, months and years, for one day or a period. */
export function CalendarPanel({ label, bounds, openAt, ...choice }: CalendarPanelProps) {
  const { min, max, disabledDates } = bounds
  const now = today(getLocalTimeZone())
  const isDisabled = (day: string) => isDateDisabled(day, bounds)
  const [focused, setFocused] = useState(() => parseDate(findOpeningDate(openAt ?? now.toString(), bounds)))

  const focus = (next: CalendarDate) => {
    if (next.compare(focused) === 0) return
    setFocused(parseDate(findKeyboardDate(focused.toString(), next.toString(), bounds)))
  }

  const shared = {
    'aria-label': label,
    autoFocus: true,
    firstDayOfWeek: 'mon' as const,
    weeksInMonth: 6,
    ...(min && { minValue: parseDate(min) }),
    ...(max && { maxValue: parseDate(max) }),
    isDateUnavailable: (day: { toString(): string }) => isDateDisabled(day.toString(), { disabledDates }),
    focusedValue: focused,
    onFocusChange: focus,
    className: 'grid gap-2',
  }
  const views = { bounds, today: isDisabled(now.toString()) ? null : now }
  return choice.isRange ? (
    <RangeCalendar
      {...shared}
      allowsNonContiguousRanges
      commitBehavior="reset"
      value={choice.value && { start: parseDate(choice.value.start), end: parseDate(choice.value.end) }}
      onChange={({ start, end }) => choice.onChoose({ start: start.toString(), end: end.toString() })}
    >
      {({ state }) => (
        <CalendarViews
          {...views}
          state={state}
          hint={state.anchorDate ? 'Alege ultima zi.' : 'Alege prima zi.'}
          onToday={(day) => state.setFocusedDate(day)}
        />
      )}
    </RangeCalendar>
  ) : (
    <Calendar
      {...shared}
      value={choice.value === null ? null : parseDate(choice.value)}
      onChange={(day) => choice.onChoose(day.toString())}
    >
      {({ state }) => (
        <CalendarViews {...views} state={state} onToday={(day) => choice.onChoose(day.toString())} />
      )}
    </Calendar>
  )
}
