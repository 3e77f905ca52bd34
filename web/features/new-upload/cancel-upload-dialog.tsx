import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

export interface CancelUploadDialogProps {
  isOpen: boolean
  onClose: () => void
  onCancelUpload: () => void
}

export function CancelUploadDialog({ isOpen, onClose, onCancelUpload }: CancelUploadDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen={isOpen}
      onOpenChange={onClose}
      title="Anulezi încărcarea?"
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Păstrează încărcarea
          </Button>
          <Button
            variant="danger"
            onPress={() => {
              onCancelUpload()
              onClose()
            }}
          >
            Anulează încărcarea
          </Button>
        </>
      }
    >
      <p className="text-muted">Fișierele trimise până acum nu se mai verifică și nu ajung la nimeni.</p>
    </Dialog>
  )
}
