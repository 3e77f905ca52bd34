import { MoveUploadDialog } from '../dialogs/move-upload-dialog.tsx'
import type { Upload } from '../upload.queries.ts'
import type { Review } from '../use-review.ts'
import { AddFilesDialog } from './add-files-dialog.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'

/** The dialog of a correction that is open. */
export function CorrectionDialogs({ upload, review }: { upload: Upload; review: Review }) {
  const {
    onReload,
    verdict,
    dialog: { opened, close },
  } = review
  switch (opened) {
    case 'move':
      return <MoveUploadDialog upload={upload} onMoved={onReload} onClose={close} />
    case 'correct':
      return <CorrectDialog upload={upload} onSaved={verdict.acknowledge} onClose={close} />
    case 'replace':
      return <ReplaceDialog upload={upload} onReload={onReload} onClose={close} />
    case 'add-files':
      return <AddFilesDialog upload={upload} onReload={onReload} onClose={close} />
    default:
      return null
  }
}
