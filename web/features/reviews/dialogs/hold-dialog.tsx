import { useState } from 'react'
import type { AcceptReason } from '../../../../shared/reviews/accept-reasons.ts'
import type { Hold } from '../../../../shared/reviews/holds.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { HoldList } from '../comparison/hold-list.tsx'
import type { Upload } from '../upload.queries.ts'
import { AcceptReasonFields } from './accept-reason-fields.tsx'

type Values = { reason: AcceptReason | null; comment: string }

const EMPTY: Values = { reason: null, comment: '' }

/** Asks why an upload that is held is right; the verdict records the reason. */
export function HoldDialog({
  upload: { number, patient },
  holds,
  onShow,
  onAccept,
  onClose,
}: {
  upload: Pick<Upload, 'number' | 'patient'>
  holds: readonly Hold[]
  /** Shows a file, after the dialog has closed. */
  onShow: (fileId: string) => void
  onAccept: (held: { reason: AcceptReason; comment: string; shownHolds: readonly Hold[] }) => Promise<void>
  onClose: () => void
}) {
  // What appears while the reviewer writes is not covered by the reason.
  const [shown] = useState(holds)
  return (
    <FormDialog
      title={`Accepți încărcarea nr. ${number}?`}
      role="alertdialog"
      saveLabel="Acceptă totuși"
      variant="danger"
      stored={EMPTY}
      onSave={async ({ reason, comment }, release) => {
        if (reason === null) return
        release()
        await onAccept({ reason, comment: comment.trim(), shownHolds: shown })
      }}
      onClose={onClose}
    >
      <div className="grid gap-2 text-sm">
        <p>
          Încărcarea este pentru <span className="font-semibold">{patient?.name}</span>. Înainte de eliberare,
          uită-te la:
        </p>
        <HoldList holds={shown} onShow={onShow} />
      </div>
      <AcceptReasonFields
        name="reason"
        commentName="comment"
        label="De ce este corect așa"
        help="Rămâne lângă verdict, cu numele tău. Ctrl Enter trimite."
      />
    </FormDialog>
  )
}
