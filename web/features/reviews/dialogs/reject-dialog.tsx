import { LIMITS } from '../../../../shared/limits.ts'
import {
  REJECTION_MESSAGES,
  REJECTION_REASON_NAMES,
  type RejectionReason,
} from '../../../../shared/uploads/upload-states.ts'
import { Field } from '../../../forms/core/field.ts'
import { useForm } from '../../../forms/core/form.tsx'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import type { Upload } from '../upload.queries.ts'
import { CodeFields } from './code-fields.tsx'

type Values = { reason: RejectionReason | null; comment: string }

const EMPTY: Values = { reason: null, comment: '' }

/** Asks for the reason of a rejection: a digit selects it, Enter submits. */
export function RejectDialog({
  upload,
  onReject,
  onClose,
}: {
  upload: Pick<Upload, 'sentBy' | 'number' | 'title' | 'patient'>
  onReject: (reason: RejectionReason, comment: string) => Promise<void>
  onClose: () => void
}) {
  return (
    <FormDialog
      title={`Respinge încărcarea nr. ${upload.number}`}
      saveLabel="Respinge"
      variant="danger"
      stored={EMPTY}
      onSave={async ({ reason, comment }, release) => {
        if (reason === null) return
        release()
        await onReject(reason, comment.trim())
      }}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        {upload.patient ? `${upload.patient.name} · ` : ''}
        {upload.title}
      </p>
      <ReasonFields sentBy={upload.sentBy} />
    </FormDialog>
  )
}

function ReasonFields({ sentBy }: { sentBy: string | null }) {
  const isOther = useForm<Values>().values.reason === 'other'
  return (
    <CodeFields
      label="Motivul"
      names={REJECTION_REASON_NAMES}
      message={REJECTION_MESSAGES.reason}
      needsText={(reason) => reason === 'other'}
    >
      <Field
        type="textarea"
        name="comment"
        label="Comentariu"
        help={`Îl citește ${sentBy ?? 'cine a încărcat fișierele'}. Ctrl Enter trimite.`}
        validation={isOther ? 'required:trim' : ''}
        validationMessages={{ required: REJECTION_MESSAGES.comment }}
        rows={2}
        maxLength={LIMITS.longText}
      />
    </CodeFields>
  )
}
