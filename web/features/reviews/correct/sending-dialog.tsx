import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { OpenDraft } from '../../new-upload/engine/draft.ts'
import { UploadProgressCard } from '../../new-upload/upload-progress-card.tsx'
import type { OpenUploadState } from '../../new-upload/use-new-upload.ts'

/** The files of a dialog while they are sent; it closes when they are submitted or the upload is withdrawn. */
export function SendingDialog({
  title,
  draft,
  open,
  onLeave,
}: {
  title: string
  draft: OpenUploadState
  open: OpenDraft
  /** Stops the transfer without withdrawing the upload; undefined: the card offers to withdraw it. */
  onLeave?: () => void
}) {
  return (
    <Dialog title={title} size="lg" isOpen isDismissable={false} onOpenChange={() => undefined}>
      <UploadProgressCard
        newUpload={draft}
        open={open}
        onFiles={(files) => void draft.upload.choose(files)}
        {...(onLeave && { onLeave })}
      />
    </Dialog>
  )
}
