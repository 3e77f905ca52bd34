import { type ComponentProps, useEffect, useState } from 'react'
import { Button, IconButton } from '../../../ui/base/button.tsx'
import { formatMonthAndYear, UNITS_PER_VIEW, yearOfMonth } from './calendar-units.ts'
import type { CalendarView } from './use-calendar-view.ts'

const HEADER_TEXTS = {
  days: { zoomOut: 'alege luna', previous: 'Luna anterioară', next: 'Luna următoare' },
  months: { zoomOut: 'alege anul', previous: 'Anul anterior', next: 'Anul următor' },
  years: { zoomOut: null, previous: 'Deceniul anterior', next: 'Deceniul următor' },
}

/** Returns what the view shows: a month, a year, or ten years. */
export function viewTitle({ view, shownMonth, firstShown }: CalendarView): string {
  if (view === 'days') return formatMonthAndYear(shownMonth)
  if (view === 'months') return String(yearOfMonth(firstShown))
  return `${firstShown}–${firstShown + UNITS_PER_VIEW.years - 1}`
}

/** The title of the view, which opens the next larger unit, between arrows to the other pages of the view. */
export function CalendarHeader({
  calendar,
  onExhausted,
}: {
  calendar: CalendarView
  /** Called when the focused arrow has reached the last page. */
  onExhausted: () => void
}) {
  const { view } = calendar
  const { zoomOut, previous, next } = HEADER_TEXTS[view]
  const title = viewTitle(calendar)
  return (
    <div className="flex items-center justify-between gap-1">
      <PageButton
        icon="chevron-left"
        label={previous}
        isDisabled={calendar.isFirstPage}
        onPress={calendar.showPreviousPage}
        onExhausted={onExhausted}
      />
      {zoomOut ? (
        <Button
          slot={null}
          variant="quiet"
          aria-label={`${title}, ${zoomOut}`}
          onPress={calendar.zoomOut}
          trailingIcon="chevron-down"
        >
          <Title isLive={view !== 'days'}>{title}</Title>
        </Button>
      ) : (
        <Title isLive>{title}</Title>
      )}
      <PageButton
        icon="chevron-right"
        label={next}
        isDisabled={calendar.isLastPage}
        onPress={calendar.showNextPage}
        onExhausted={onExhausted}
      />
    </div>
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
