import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { ShortcutsDialog } from './dialogs/shortcuts-dialog.tsx'
import type { Upload } from './upload.queries.ts'
import type { Review } from './use-review.ts'

const EditUploadDialog = lazyOnIdle(() => import('./dialogs/edit-upload-dialog.tsx'), 'EditUploadDialog')
const MismatchDialog = lazyOnIdle(() => import('./dialogs/mismatch-dialog.tsx'), 'MismatchDialog')
const RemoveFileDialog = lazyOnIdle(() => import('./dialogs/remove-file-dialog.tsx'), 'RemoveFileDialog')
const RejectDialog = lazyOnIdle(() => import('./dialogs/reject-dialog.tsx'), 'RejectDialog')

/** The dialog that is open in the review; all except that of the keys are loaded when needed. */
export function ReviewDialogs({ upload, review }: { upload: Upload; review: Review }) {
  const {
    verdict,
    dialog: { opened, close },
    files: { selected },
  } = review
  return (
    <>
      {opened === 'reject' && (
        <RejectDialog
          upload={upload}
          onClose={close}
          onReject={async (reason, comment) => {
            if (await verdict.reject(reason, comment)) close()
          }}
        />
      )}
      {opened === 'mismatch' && (
        <MismatchDialog
          upload={upload}
          onClose={close}
          onAccept={async (reason) => {
            if (await verdict.accept(reason)) close()
          }}
        />
      )}
      {opened === 'edit' && (
        <EditUploadDialog upload={upload} onSaved={verdict.acknowledge} onClose={close} />
      )}
      {opened === 'remove-file' && selected && (
        <RemoveFileDialog file={selected} upload={upload} onRemoved={verdict.acknowledge} onClose={close} />
      )}
      <ShortcutsDialog isOpen={opened === 'keys'} onClose={close} />
    </>
  )
}
