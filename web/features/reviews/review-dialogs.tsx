import { Suspense } from 'react'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { ShortcutsDialog } from '../../ui/overlays/shortcuts-dialog.tsx'
import { REVIEW_SHORTCUTS } from './review-keys.ts'
import type { Upload } from './upload.queries.ts'
import type { Review } from './use-review.ts'

const EditUploadDialog = lazyOnIdle(() => import('./dialogs/edit-upload-dialog.tsx'), 'EditUploadDialog')
const HoldDialog = lazyOnIdle(() => import('./dialogs/hold-dialog.tsx'), 'HoldDialog')
const RemoveFileDialog = lazyOnIdle(() => import('./dialogs/remove-file-dialog.tsx'), 'RemoveFileDialog')
// Rare, and so loaded when one is opened.
const CorrectionDialogs = lazyNamed(() => import('./correct/correction-dialogs.tsx'), 'CorrectionDialogs')
const RejectDialog = lazyOnIdle(() => import('./dialogs/reject-dialog.tsx'), 'RejectDialog')

const CORRECTIONS: ReadonlySet<Review['dialog']['opened']> = new Set([
  'move',
  'correct',
  'replace',
  'add-files',
])

/** The dialog that is open in the review; all except that of the keys are loaded later. */
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
          onAccept={async (held) => {
            if (await verdict.accept(held)) close()
          }}
        />
      )}
      {opened === 'edit' && (
        <EditUploadDialog upload={upload} onSaved={verdict.acknowledge} onClose={close} />
      )}
      {CORRECTIONS.has(opened) && (
        <Suspense>
          <CorrectionDialogs upload={upload} review={review} />
        </Suspense>
      )}
      {opened === 'remove-file' && selected && (
        <RemoveFileDialog file={selected} upload={upload} onRemoved={verdict.acknowledge} onClose={close} />
      )}
      <ShortcutsDialog
        shortcuts={REVIEW_SHORTCUTS}
        note="Cât timp scrii într-un câmp, tastele scriu."
        isOpen={opened === 'keys'}
        onClose={close}
      />
    </>
  )
}
