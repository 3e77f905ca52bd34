import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { ShortcutsDialog } from './dialogs/shortcuts-dialog.tsx'
import type { Upload } from './upload.queries.ts'
import type { Review } from './use-review.ts'

const EditUploadDialog = lazyOnIdle(() => import('./dialogs/edit-upload-dialog.tsx'), 'EditUploadDialog')
const CorrectDialog = lazyOnIdle(() => import('./correct/correct-dialog.tsx'), 'CorrectDialog')
const ReplaceDialog = lazyOnIdle(() => import('./correct/replace-dialog.tsx'), 'ReplaceDialog')
const AddFilesDialog = lazyOnIdle(() => import('./correct/add-files-dialog.tsx'), 'AddFilesDialog')
const HoldDialog = lazyOnIdle(() => import('./dialogs/hold-dialog.tsx'), 'HoldDialog')
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
      {opened === 'hold' && (
        <HoldDialog
          upload={upload}
          holds={review.holds}
          onShow={(fileId) => {
            close()
            review.files.select(fileId)
          }}
          onClose={close}
          onAccept={async (reason, comment) => {
            if (await verdict.accept({ reason, comment })) close()
          }}
        />
      )}
      {opened === 'edit' && (
        <EditUploadDialog upload={upload} onSaved={verdict.acknowledge} onClose={close} />
      )}
      {opened === 'correct' && (
        <CorrectDialog upload={upload} onSaved={verdict.acknowledge} onClose={close} />
      )}
      {opened === 'replace' && <ReplaceDialog upload={upload} onReload={review.onReload} onClose={close} />}
      {opened === 'add-files' && (
        <AddFilesDialog upload={upload} onReload={review.onReload} onClose={close} />
      )}
      {opened === 'remove-file' && selected && (
        <RemoveFileDialog file={selected} upload={upload} onRemoved={verdict.acknowledge} onClose={close} />
      )}
      <ShortcutsDialog isOpen={opened === 'keys'} onClose={close} />
    </>
  )
}
