import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'

const CELL_CLASS =
  'hit-area flex items-center justify-center text-sm -outline-offset-2 data-outside-month:invisible data-today:font-bold data-today:underline data-today:decoration-2 data-today:underline-offset-4'

/** The days of the month that the surrounding calendar shows. */
export function DayGrid({ isRange }: { isRange: boolean }) {
  return (
    <CalendarGrid weekdayStyle="short" className="w-full table-fixed border-collapse">
      <CalendarGridHeader>
        {(day) => (
          <CalendarHeaderCell className="h-6 text-center text-xs font-normal text-muted">
            {day}
          </CalendarHeaderCell>
        )}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => (
          <CalendarCell
            date={date}
            className={(cell) => {
              const isEnd = cell.isSelectionStart || cell.isSelectionEnd
              const isOff = cell.isDisabled || cell.isUnavailable
              return classNames(
                CELL_CLASS,
                cell.isSelected && isRange && !isEnd ? 'bg-accent-soft' : 'rounded-md',
                isOff ? 'text-faint' : 'cursor-pointer',
                cell.isUnavailable && 'line-through',
                cell.isInvalid && isOff
                  ? 'bg-danger-soft text-danger'
                  : cell.isSelected && (!isRange || isEnd)
                    ? 'bg-accent text-on-accent'
                    : !isOff && !cell.isSelected && 'hover:bg-hover',
              )
            }}
          />
        )}
      </CalendarGridBody>
    </CalendarGrid>
  )
}
