import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

const QUESTIONS = {
  batch: {
    title: 'Fișierele nu au ajuns toate',
    text: 'Dacă pleci acum, trimiterea se oprește. Ce a ajuns rămâne în lot; pentru rest tragi din nou același folder.',
  },
  chosen: {
    title: 'Renunți la fișierele alese?',
    text: 'Fișierele alese și ce ai scris despre ele nu s-au trimis la verificare. Dacă pleci acum, se pierd.',
  },
  written: {
    title: 'Încărcarea nu s-a trimis la verificare',
    text: 'Fișierele care au ajuns rămân: o poți continua de pe pagina pacientului. Ce ai scris acum despre ele se pierde.',
  },
  sending: {
    title: 'Încărcarea nu s-a încheiat',
    text: 'Dacă pleci acum, încărcarea se oprește. Ce a ajuns se păstrează o zi: o poți continua de pe pagina pacientului, cu aceleași fișiere.',
  },
}

type Place = { pathname: string; search: object }

/** Whether it is the same tab of the same page. */
const isSamePlace = (current: Place, next: Place): boolean =>
  current.pathname === next.pathname && tabOf(current) === tabOf(next)
const tabOf = ({ search }: Place): unknown => ('tab' in search ? search.tab : undefined)

/**
 * Asks for confirmation before the user leaves chosen files (`chosen`), an upload whose files have arrived (`written`),
 * one whose files have not (`sending`), or files that are on the way to a batch (`batch`): with a dialog within the
 * application, with the browser's own question on close or reload. Sign-out is never blocked. null: nothing would be lost.
 */
export function UploadLeaveGuard({
  loss,
  onLeave,
}: {
  loss: keyof typeof QUESTIONS | null
  /** Called before the page is left. */
  onLeave?: () => void
}) {
  const isActive = loss !== null
  const blocker = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }) => isActive && !isSamePlace(current, next) && next.pathname !== '/signout',
      [isActive],
    ),
    enableBeforeUnload: isActive,
    withResolver: true,
  })
  const { proceed } = blocker
  // The upload was submitted or withdrawn while the dialog was open: the navigation continues.
  useEffect(() => {
    if (!isActive) proceed?.()
  }, [isActive, proceed])
  const question = QUESTIONS[loss ?? 'sending']
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isDismissable={false}
      isOpen={blocker.status === 'blocked'}
      onOpenChange={() => blocker.reset?.()}
      title={question.title}
      actions={
        <>
          <Button
            onPress={() => {
              onLeave?.()
              proceed?.()
            }}
          >
            Pleacă oricum
          </Button>
          <Button variant="primary" autoFocus onPress={() => blocker.reset?.()}>
            Rămâi pe pagină
          </Button>
        </>
      }
    >
      <p className="text-muted">{question.text}</p>
    </Dialog>
  )
}
