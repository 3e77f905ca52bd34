import type { CalendarDate } from '@internationalized/date'
import { type ContextType, useState } from 'react'
import type { CalendarStateContext, RangeCalendarStateContext } from 'react-aria-components'
import {
  clampUnit,
  firstInView,
  inYear,
  monthFields,
  monthUnit,
  UNITS_PER_VIEW,
  type UnitView,
  unitBounds,
  yearOfMonth,
} from './calendar-units.ts'
import type { DateBounds } from './date-bounds.ts'

/** React Aria's state of the calendar, for one day or a period. */
export type CalendarState = NonNullable<
  ContextType<typeof CalendarStateContext | typeof RangeCalendarStateContext>
>

/** Returns which view the calendar shows, its units, and the functions that change the view. */
export function useCalendarView(state: CalendarState, bounds: DateBounds) {
  const [view, setView] = useState<'days' | UnitView>('days')
  /** The focused unit of the view of months or years. */
  const [at, setAt] = useState(0)
  const shownMonth = monthUnit(state.visibleRange.start)
  const unitView = view === 'years' ? 'years' : 'months'
  const size = UNITS_PER_VIEW[unitView]
  const { first, last } = unitBounds(unitView, bounds)
  const firstShown = firstInView(unitView, at)
  const move = (unit: number) => setAt(clampUnit(unitView, unit, bounds))
  const isDays = view === 'days'

  const showMonths = (month: number) => {
    setAt(clampUnit('months', month, bounds))
    setView('months')
  }
  const showDay = (day: CalendarDate) => {
    setView('days')
    state.setFocusedDate(day)
    state.setFocused(true)
  }
  return {
    view,
    at,
    shownMonth,
    firstShown,
    move,
    isDisabled: (unit: number) => unit < first || unit > last,
    isFirstPage: isDays ? state.isPreviousVisibleRangeInvalid() : firstShown <= first,
    isLastPage: isDays ? state.isNextVisibleRangeInvalid() : firstShown + size > last,
    showPreviousPage: () => (isDays ? state.focusPreviousPage() : move(at - size)),
    showNextPage: () => (isDays ? state.focusNextPage() : move(at + size)),
    /** Opens the view of the next larger unit. */
    zoomOut: () => {
      if (isDays) return showMonths(shownMonth)
      setAt(yearOfMonth(firstShown))
      setView('years')
    },
    showDays: () => setView('days'),
    chooseMonth: (month: number) => showDay(state.focusedDate.set(monthFields(month))),
    chooseYear: (year: number) => showMonths(inYear(shownMonth, year)),
  }
}

export type CalendarView = ReturnType<typeof useCalendarView>
