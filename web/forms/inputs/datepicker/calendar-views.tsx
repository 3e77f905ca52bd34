import type { CalendarDate } from '@internationalized/date'
import { useRef } from 'react'
import { Button } from '../../../ui/base/button.tsx'
import { CalendarHeader, viewTitle } from './calendar-header.tsx'
import { formatMonth, UNITS_PER_VIEW, yearOfMonth } from './calendar-units.ts'
import type { DateBounds } from './date-bounds.ts'
import { DayGrid } from './day-grid.tsx'
import { UnitPanel } from './unit-panel.tsx'
import { type CalendarState, type CalendarView, useCalendarView } from './use-calendar-view.ts'

interface CalendarViewsProps {
  state: CalendarState
  bounds: DateBounds
  /** Null if today may not be chosen. */
  today: CalendarDate | null
  onToday: (today: CalendarDate) => void
  hint?: string
}

/**
 * The views of days, months and years. The title opens the next larger unit: from days to months, from months
 * to years.
 */
export function CalendarViews({ state, bounds, today, onToday, hint }: CalendarViewsProps) {
  const calendar = useCalendarView(state, bounds)
  const body = useRef<HTMLDivElement>(null)
  const focusBody = () => body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  return (
    <>
      <CalendarHeader calendar={calendar} onExhausted={focusBody} />
      <div ref={body} className="h-66 pointer-coarse:h-72">
        {calendar.view === 'days' && <DayGrid isRange={'highlightedRange' in state} />}
        {calendar.view === 'months' && <MonthPanel calendar={calendar} />}
        {calendar.view === 'years' && <YearPanel calendar={calendar} />}
      </div>
      <div className="flex min-h-10 items-center justify-between gap-2">
        <p className="px-1 text-sm text-muted">{hint}</p>
        {today && (
          <Button
            slot={null}
            variant="quiet"
            onPress={() => {
              calendar.showDays()
              onToday(today)
            }}
          >
            Astăzi
          </Button>
        )}
      </div>
    </>
  )
}

const MonthPanel = ({ calendar }: { calendar: CalendarView }) => (
  <UnitPanel
    label={`Luna, ${viewTitle(calendar)}`}
    size={UNITS_PER_VIEW.months}
    columns={3}
    at={calendar.at}
    chosen={calendar.shownMonth}
    name={formatMonth}
    isDisabled={calendar.isDisabled}
    onMove={calendar.move}
    onChoose={calendar.chooseMonth}
  />
)

const YearPanel = ({ calendar }: { calendar: CalendarView }) => (
  <UnitPanel
    label={`Anul, ${viewTitle(calendar)}`}
    size={UNITS_PER_VIEW.years}
    columns={2}
    at={calendar.at}
    chosen={yearOfMonth(calendar.shownMonth)}
    name={String}
    isDisabled={calendar.isDisabled}
    onMove={calendar.move}
    onChoose={calendar.chooseYear}
  />
)
