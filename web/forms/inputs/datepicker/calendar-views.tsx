import type { CalendarDate } from '@internationalized/date'
import { type ComponentProps, type ContextType, useEffect, useRef, useState } from 'react'
import type { CalendarStateContext, RangeCalendarStateContext } from 'react-aria-components'
import { Button, IconButton } from '../../../ui/base/button.tsx'
import type { DateBounds } from './date-bounds.ts'
import { DayGrid } from './day-grid.tsx'
import { UnitPanel } from './unit-panel.tsx'

type CalendarState = NonNullable<ContextType<typeof CalendarStateContext | typeof RangeCalendarStateContext>>
type View = 'days' | 'months' | 'years'

const MONTHS_PER_YEAR = 12
/** The number of years in a view [9.13]. */
const YEARS_PER_VIEW = 10

/** The range of days that can be typed. */
const FIRST_DAY = '1000-01-01'
const LAST_DAY = '9999-12-31'

const monthAndYear = new Intl.DateTimeFormat('ro-RO', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('ro-RO', { month: 'long', timeZone: 'UTC' })
const firstOf = (unit: number) =>
  new Date(Date.UTC(Math.floor(unit / MONTHS_PER_YEAR), unit % MONTHS_PER_YEAR))
const monthUnit = ({ year, month }: { year: number; month: number }) => year * MONTHS_PER_YEAR + month - 1
const monthOf = (day: string) => monthUnit({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) })
const yearOf = (day: string) => Number(day.slice(0, 4))

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
  const [view, setView] = useState<View>('days')
  const [at, setAt] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const shownMonth = monthUnit(state.visibleRange.start)
  const { min = FIRST_DAY, max = LAST_DAY } = bounds
  const [first, last] = view === 'years' ? [yearOf(min), yearOf(max)] : [monthOf(min), monthOf(max)]
  const size = view === 'years' ? YEARS_PER_VIEW : MONTHS_PER_YEAR
  const block = at - (at % size)
  const move = (unit: number) => setAt(Math.min(Math.max(unit, first), last))
  const isDisabled = (unit: number) => unit < first || unit > last

  const showMonths = (unit: number) => {
    setAt(Math.min(Math.max(unit, monthOf(min)), monthOf(max)))
    setView('months')
  }
  const showDays = (day: CalendarDate) => {
    setView('days')
    state.setFocusedDate(day)
    state.setFocused(true)
  }

  const header = {
    days: {
      title: monthAndYear.format(firstOf(shownMonth)),
      titleAction: 'alege luna',
      onTitle: () => showMonths(shownMonth),
      pages: ['Luna anterioară', 'Luna următoare'],
    },
    months: {
      title: String(block / MONTHS_PER_YEAR),
      titleAction: 'alege anul',
      onTitle: () => {
        setAt(block / MONTHS_PER_YEAR)
        setView('years')
      },
      pages: ['Anul anterior', 'Anul următor'],
    },
    years: {
      title: `${block}–${block + YEARS_PER_VIEW - 1}`,
      titleAction: null,
      onTitle: () => undefined,
      pages: ['Deceniul anterior', 'Deceniul următor'],
    },
  }[view]
  const [previous = '', next = ''] = header.pages
  const focusBody = () => body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()

  return (
    <>
      <div className="flex items-center justify-between gap-1">
        <PageButton
          icon="chevron-left"
          label={previous}
          isDisabled={view === 'days' ? state.isPreviousVisibleRangeInvalid() : block <= first}
          onPress={() => (view === 'days' ? state.focusPreviousPage() : move(at - size))}
          onExhausted={focusBody}
        />
        {header.titleAction ? (
          <Button
            slot={null}
            variant="quiet"
            aria-label={`${header.title}, ${header.titleAction}`}
            onPress={header.onTitle}
            trailingIcon="chevron-down"
          >
            <Title isLive={view !== 'days'}>{header.title}</Title>
          </Button>
        ) : (
          <Title isLive>{header.title}</Title>
        )}
        <PageButton
          icon="chevron-right"
          label={next}
          isDisabled={view === 'days' ? state.isNextVisibleRangeInvalid() : block + size > last}
          onPress={() => (view === 'days' ? state.focusNextPage() : move(at + size))}
          onExhausted={focusBody}
        />
      </div>
      <div ref={body} className="h-66 pointer-coarse:h-72">
        {view === 'days' && <DayGrid isRange={'highlightedRange' in state} />}
        {view === 'months' && (
          <UnitPanel
            key="months"
            label={`Luna, ${header.title}`}
            size={MONTHS_PER_YEAR}
            columns={3}
            at={at}
            chosen={shownMonth}
            name={(unit) => month.format(firstOf(unit))}
            isDisabled={isDisabled}
            onMove={move}
            onChoose={(unit) =>
              showDays(
                state.focusedDate.set({
                  year: Math.floor(unit / MONTHS_PER_YEAR),
                  month: (unit % MONTHS_PER_YEAR) + 1,
                }),
              )
            }
          />
        )}
        {view === 'years' && (
          <UnitPanel
            key="years"
            label={`Anul, ${header.title}`}
            size={YEARS_PER_VIEW}
            columns={2}
            at={at}
            chosen={Math.floor(shownMonth / MONTHS_PER_YEAR)}
            name={String}
            isDisabled={isDisabled}
            onMove={move}
            onChoose={(year) => showMonths(year * MONTHS_PER_YEAR + (shownMonth % MONTHS_PER_YEAR))}
          />
        )}
      </div>
      <div className="flex min-h-10 items-center justify-between gap-2">
        <p className="px-1 text-sm text-muted">{hint}</p>
        {today && (
          <Button
            slot={null}
            variant="quiet"
            onPress={() => {
              setView('days')
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

/** React Aria announces the month of the day view; the titles of the other views are live regions. */
function Title({ isLive, children }: { isLive: boolean; children: string }) {
  return (
    <span
      aria-live={isLive ? 'polite' : 'off'}
      className="inline-block text-sm font-semibold first-letter:uppercase"
    >
      {children}
    </span>
  )
}

/**
 * An arrow button that calls `onExhausted` if it becomes disabled while focused, because a disabled button
 * loses the focus.
 */
function PageButton({
  onExhausted,
  ...props
}: ComponentProps<typeof IconButton> & { isDisabled: boolean; onExhausted: () => void }) {
  const [isFocused, setFocused] = useState(false)
  const hasLostFocus = isFocused && props.isDisabled
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the last page is reached
  useEffect(() => {
    if (hasLostFocus) onExhausted()
  }, [hasLostFocus])
  return <IconButton {...props} slot={null} onFocusChange={setFocused} />
}
