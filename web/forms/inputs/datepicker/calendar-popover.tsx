import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Button as AriaButton, Popover } from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { lazyNamed } from '../../../ui/base/lazy.ts'
import { Spinner } from '../../../ui/base/loading.tsx'
import { popoverClass } from '../../../ui/base/popover-styles.ts'
import type { CalendarPanelProps } from './calendar-panel.tsx'

const CalendarPanel = lazyNamed(() => import('./calendar-panel.tsx'), 'CalendarPanel')

/**
 * Returns the state of a calendar that opens under a text field and returns the focus to the field after a
 * choice.
 */
export function useCalendarPopover() {
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  /**
   * The number of openings, used as a React key: each opening mounts a new calendar, even while the previous
   * one fades out.
   */
  const [opening, setOpening] = useState(0)
  const focusTarget = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) return
    focusTarget.current?.focus()
    focusTarget.current = null
  }, [isOpen])
  const isTouch = useRef(false)

  return {
    field,
    isOpen,
    opening,
    setOpen,
    open: (input: HTMLInputElement | null, pointerType?: string) => {
      field.current = input
      isTouch.current = pointerType === 'touch'
      setOpen(true)
      setOpening((count) => count + 1)
    },
    /**
     * Closes the calendar after a choice. After a choice by touch, the field does not get the focus, because
     * the on-screen keyboard would open.
     */
    finish: () => {
      focusTarget.current = isTouch.current ? null : field.current
      setOpen(false)
    },
  }
}

type Calendar = ReturnType<typeof useCalendarPopover>

interface CalendarButtonProps {
  calendar: Calendar
  input: RefObject<HTMLInputElement | null>
  /** The accessible name: the purpose and the chosen days. */
  label: string
  isDisabled: boolean
}

/** The button inside the box of the text field, after the text. */
export function CalendarButton({ calendar, input, label, isDisabled }: CalendarButtonProps) {
  return (
    <AriaButton
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={calendar.isOpen && calendar.field.current === input.current}
      isDisabled={isDisabled}
      onPress={(event) => calendar.open(input.current, event.pointerType)}
      className="hit-square flex items-center justify-center rounded-md text-muted -outline-offset-2 hover:text-ink"
    >
      <Icon name="calendar" size={18} />
    </AriaButton>
  )
}

export function CalendarPopover({ calendar, ...panel }: { calendar: Calendar } & CalendarPanelProps) {
  return (
    <Popover
      aria-label={panel.label}
      triggerRef={calendar.field}
      isOpen={calendar.isOpen}
      onOpenChange={calendar.setOpen}
      placement="bottom start"
      offset={4}
      crossOffset={-1}
      className={classNames(popoverClass, 'min-w-0! p-3')}
    >
      <div className="h-90 w-70 max-w-full pointer-coarse:h-98 pointer-coarse:w-77">
        <Suspense
          fallback={
            <div className="grid h-full place-items-center">
              <Spinner />
            </div>
          }
        >
          <CalendarPanel key={calendar.opening} {...panel} />
        </Suspense>
      </div>
    </Popover>
  )
}
