import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Button as AriaButton, Popover } from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { lazyNamed } from '../../../ui/base/lazy.ts'
import { Spinner } from '../../../ui/base/loading.tsx'
import { popoverClass } from '../../../ui/base/popover-styles.ts'
import type { CalendarPanelProps } from './calendar-panel.tsx'

const CalendarPanel = lazyNamed(() => import('./calendar-panel.tsx'), 'CalendarPanel')

/** A calendar that opens under a text field, and after a choice gives the keyboard back to it. */
export function useCalendarPopover() {
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** How often it was opened: each time it begins anew, also where the one before is still fading out. */
  const [opening, setOpening] = useState(0)
  const returnsTo = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isOpen) return
    returnsTo.current?.focus()
    returnsTo.current = null
  }, [isOpen])
  const isByFinger = useRef(false)

  return {
    field,
    isOpen,
    opening,
    setOpen,
    open: (input: HTMLInputElement | null, pointerType?: string) => {
      field.current = input
      isByFinger.current = pointerType === 'touch'
      setOpen(true)
      setOpening((count) => count + 1)
    },
    /** After a choice. A finger's choice leaves the field alone: the keyboard of the screen would come up. */
    finish: () => {
      returnsTo.current = isByFinger.current ? null : field.current
      setOpen(false)
    },
  }
}

type Calendar = ReturnType<typeof useCalendarPopover>

interface CalendarButtonProps {
  calendar: Calendar
  input: RefObject<HTMLInputElement | null>
  /** Read aloud: what it is for, and what is chosen now. */
  label: string
  isDisabled: boolean
}

/** Inside the box of the text field, after the text. */
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
