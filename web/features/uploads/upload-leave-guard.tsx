import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/**
 * While files are under way, asks before the person leaves: here in our words, in the browser's where the page is closed or
 * reloaded. Signing out is a decision of its own and is let through.
 */
export function UploadLeaveGuard({ isActive }: { isActive: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }) => isActive && next.pathname !== current.pathname && next.pathname !== '/signout',
      [isActive],
    ),
    enableBeforeUnload: isActive,
    withResolver: true,
  })
  const { proceed } = blocker
  // Everything arrived while the question stood: nothing is left to ask.
  useEffect(() => {
    if (!isActive) proceed?.()
  }, [isActive, proceed])
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isDismissable={false}
      isOpen={blocker.status === 'blocked'}
      onOpenChange={() => blocker.reset?.()}
      title="Fișierele nu au ajuns încă toate"
      actions={
        <>
          <Button onPress={() => blocker.proceed?.()}>Pleacă oricum</Button>
          <Button variant="primary" autoFocus onPress={() => blocker.reset?.()}>
            Rămâi pe pagină
          </Button>
        </>
      }
    >
      <p className="text-muted">
        Dacă pleci acum, încărcarea se oprește. Ce a ajuns se păstrează o zi: o poți continua de pe pagina
        pacientului, cu aceleași fișiere.
      </p>
    </Dialog>
  )
}
