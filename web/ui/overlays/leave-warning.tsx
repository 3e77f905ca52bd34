import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../base/button.tsx'
import { Dialog } from './dialog.tsx'

export interface LeaveWarning {
  /** Calls `act` at once if nothing would be lost, else asks the user first. */
  leave: (act: () => void) => void
  /** Turns off the warning because the input is saved. */
  release: () => void
  /** The confirmation dialog, to be rendered in the form. */
  dialog: ReactNode
}

/**
 * Asks the user before unsaved input is lost by closing a dialog, opening another screen or leaving the page.
 * `isDirty` is called at that moment.
 */
export function useLeaveWarning(isDirty: () => boolean): LeaveWarning {
  const isReleased = useRef(false)
  const [closing, setClosing] = useState<{ act: () => void } | null>(null)
  // After saving or discarding, the next change turns the warning on again.
  useEffect(() => {
    if (!isDirty()) isReleased.current = false
  })
  const mustWarn = () => isDirty() && !isReleased.current
  const navigation = useBlocker({
    // On the same page nothing is lost, and after the session has ended nothing can be saved.
    shouldBlockFn: ({ current, next }) =>
      mustWarn() && next.pathname !== '/signout' && !isSamePage(current, next),
    enableBeforeUnload: mustWarn,
    withResolver: true,
  })
  const stay = () => {
    setClosing(null)
    navigation.reset?.()
  }
  const go = () => {
    isReleased.current = true
    closing?.act()
    navigation.proceed?.()
    setClosing(null)
  }
  return {
    leave: (act) => (mustWarn() ? setClosing({ act }) : act()),
    release: () => {
      isReleased.current = true
    },
    dialog: (
      <Dialog
        role="alertdialog"
        size="sm"
        title="Renunți la modificări?"
        isOpen={closing !== null || navigation.status === 'blocked'}
        onOpenChange={(isOpen) => isOpen || stay()}
        actions={
          <>
            <Button onPress={stay}>Continuă editarea</Button>
            <Button variant="danger" onPress={go}>
              Renunță la modificări
            </Button>
          </>
        }
      >
        <p className="text-muted">Ce este scris aici nu este salvat și se pierde.</p>
      </Dialog>
    ),
  }
}

type PageLocation = { pathname: string; search: object }

/** Whether two locations differ at most in their hash. */
const isSamePage = (one: PageLocation, other: PageLocation): boolean =>
  one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search)
