import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { REMOVE_SECOND_FACTOR, type UserDetails } from './accounts.queries.ts'

/**
 * Shows whether a user has a second factor, and removes it for a user who has lost it with all recovery
 * codes.
 */
export function UserSecondFactor({ user, onChange }: { user: UserDetails; onChange: () => void }) {
  const [isRemoving, setRemoving] = useState(false)
  if (!user.hasSecondFactor) {
    return (
      <div className="grid justify-items-start gap-2">
        <StatusPill icon="shield-alert">Inactiv</StatusPill>
        <p className="text-sm text-muted">Îl activează fiecare din contul său.</p>
      </div>
    )
  }
  return (
    <div className="grid justify-items-start gap-2">
      <StatusPill icon="shield-check" tone="success">
        Activ
      </StatusPill>
      <p className="text-sm text-muted">
        Pentru cine și-a pierdut telefonul, cheile de acces și codurile de recuperare: fără al doilea factor
        se autentifică doar cu parola, apoi îl poate activa din nou.
      </p>
      <Button onPress={() => setRemoving(true)}>Elimină al doilea factor</Button>
      {isRemoving && <RemoveDialog user={user} onClose={() => setRemoving(false)} onRemoved={onChange} />}
    </div>
  )
}

/** Asks to confirm; the removed key cannot be restored. */
function RemoveDialog({
  user,
  onClose,
  onRemoved,
}: {
  user: UserDetails
  onClose: () => void
  onRemoved: () => void
}) {
  const [remove] = useMutation(REMOVE_SECOND_FACTOR)
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      await remove({ variables: { userId: user.id } })
      showToast({ tone: 'success', title: `${user.name} nu mai are al doilea factor` })
      onClose()
      onRemoved()
    })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Elimini al doilea factor pentru ${user.name}?`}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="danger" isPending={attempt.isPending} onPress={() => void confirm()}>
            Elimină
          </Button>
        </>
      }
    >
      <FailureNotice>{attempt.message}</FailureNotice>
      <p className="text-muted">
        Verifică întâi, altfel decât prin e-mail, că îți vorbește chiar această persoană. Sesiunile ei se
        închid, iar cheile de acces și codurile de recuperare nu mai sunt bune. Eliminarea rămâne scrisă în
        jurnal.
      </p>
    </Dialog>
  )
}
