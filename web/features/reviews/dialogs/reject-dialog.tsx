import { type KeyboardEvent, useRef } from 'react'
import { LIMITS } from '../../../../shared/limits.ts'
import {
  REJECTION_MESSAGES,
  REJECTION_REASON_NAMES,
  REJECTION_REASONS,
  type RejectionReason,
} from '../../../../shared/uploads/upload-states.ts'
import { Field } from '../../../forms/core/field.ts'
import { useForm } from '../../../forms/core/form.tsx'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import type { Upload } from '../upload.queries.ts'

type Values = { reason: RejectionReason | null; comment: string }

const REASONS = REJECTION_REASONS.map((value, index) => ({
  value,
  label: REJECTION_REASON_NAMES[value],
  shortcut: String(index + 1),
}))
const EMPTY: Values = { reason: null, comment: '' }

/** Asks for the reason of a rejection: a digit selects it, Enter submits. */
export function RejectDialog({
  upload,
  onReject,
  onClose,
}: {
  upload: Pick<Upload, 'number' | 'title' | 'patient'>
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
      <ReasonFields />
    </FormDialog>
  )
}

function ReasonFields() {
  const { values, fill } = useForm<Values>()
  const fields = useRef<HTMLFieldSetElement>(null)
  const isOther = values.reason === 'other'

  const choose = (reason: RejectionReason) => {
    fill('reason', reason)
    const selector = reason === 'other' ? 'textarea' : `input[value="${reason}"]`
    fields.current?.querySelector<HTMLElement>(selector)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return
    const chosen = REASONS.find(({ shortcut }) => shortcut === event.key)
    if (!chosen) return
    event.preventDefault()
    choose(chosen.value)
  }
  return (
    <fieldset ref={fields} onKeyDown={onKeyDown} className="grid min-w-0 gap-5">
      <Field
        type="toggle"
        look="list"
        name="reason"
        label="Motivul"
        options={REASONS}
        validation="required"
        validationMessages={{ required: REJECTION_MESSAGES.reason }}
        autoFocus
      />
      <Field
        type="textarea"
        name="comment"
        label="Comentariu"
        help="Îl citește cine a încărcat fișierele. Ctrl Enter trimite."
        validation={isOther ? 'required:trim' : ''}
        validationMessages={{ required: REJECTION_MESSAGES.comment }}
        rows={2}
        maxLength={LIMITS.longText}
      />
    </fieldset>
  )
}
