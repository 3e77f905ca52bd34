import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface RevokeDialogProps {
  title: string
  /** What the revocation ends. */
  children: string
  onRevoke: () => Promise<unknown>
  doneTitle: string
  failedTitle: string
  onClose: () => void
}

/** Asks to confirm; a revoked key cannot be restored. Mounted while it is open. */
export function RevokeDialog({
  title,
  children,
  onRevoke,
  doneTitle,
  failedTitle,
  onClose,
}: RevokeDialogProps) {
  const [isPending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    try {
      await onRevoke()
      showToast({ tone: 'success', title: doneTitle })
    } catch (error) {
      showToast({ tone: 'error', title: failedTitle, description: errorMessage(error) })
    }
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={title}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button variant="danger" isPending={isPending} onPress={() => void confirm()}>
            Revocă
          </Button>
        </>
      }
    >
      <p className="text-muted">{children}</p>
    </Dialog>
  )
}
