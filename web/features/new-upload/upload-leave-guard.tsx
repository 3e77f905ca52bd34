import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** What leaving would lose; those of users of institutions begin with `sent`. */
export type LeaveLoss = 'batch' | 'chosen' | 'written' | 'sending' | 'sent-chosen' | 'sent-sending'

const QUESTIONS: Record<LeaveLoss, { title: string; text: string }> = {
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
  'sent-chosen': {
    title: 'Renunțați la fișierele alese?',
    text: 'Fișierele alese nu au fost trimise centrului. Dacă plecați acum, se pierd.',
  },
  'sent-sending': {
    title: 'Trimiterea nu s-a încheiat',
    text: 'Dacă plecați acum, trimiterea se oprește. Ce a ajuns se păstrează: o puteți continua de aici.',
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
  loss: LeaveLoss | null
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
  const isSent = loss?.startsWith('sent') ?? false
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
            {isSent ? 'Plecați oricum' : 'Pleacă oricum'}
          </Button>
          <Button variant="primary" autoFocus onPress={() => blocker.reset?.()}>
            {isSent ? 'Rămâneți pe pagină' : 'Rămâi pe pagină'}
          </Button>
        </>
      }
    >
      <p className="text-muted">{question.text}</p>
    </Dialog>
  )
}
