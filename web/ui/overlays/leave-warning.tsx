import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../base/button.tsx'
import { Dialog } from './dialog.tsx'

export interface LeaveWarning {
  /** Leaves at once where nothing would be lost, else asks first. */
  leave: (act: () => void) => void
  /** What was typed is saved: nothing stands in the way any more. */
  release: () => void
  /** Where the question appears; somewhere in the form. */
  dialog: ReactNode
}

/** Asks before typed work is lost, whether a dialog is closed, another screen opened or the page left. `isDirty` is asked then. */
export function useLeaveWarning(isDirty: () => boolean): LeaveWarning {
  const isReleased = useRef(false)
  const [closing, setClosing] = useState<{ act: () => void } | null>(null)
  // Saved, or given up: the next change is held again.
  useEffect(() => {
    if (!isDirty()) isReleased.current = false
  })
  const isHeld = () => isDirty() && !isReleased.current
  const navigation = useBlocker({
    // On the same page nothing is lost, and where the session has ended there is nobody any more to ask.
    shouldBlockFn: ({ current, next }) =>
      isHeld() && next.pathname !== '/signout' && !isSamePage(current, next),
    enableBeforeUnload: isHeld,
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
    leave: (act) => (isHeld() ? setClosing({ act }) : act()),
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

type Place = { pathname: string; search: object }

/** Only the part of the page that is shown is another: what follows `#` in the address. */
const isSamePage = (one: Place, other: Place): boolean =>
  one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search)
