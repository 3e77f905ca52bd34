import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { MismatchList } from '../mismatch.tsx'
import type { Upload } from '../upload.queries.ts'

/** Asks for the reason to accept an upload with a mismatch; the verdict records the reason. */
export function MismatchDialog({
  upload: { number, patient, mismatches },
  onAccept,
  onClose,
}: {
  upload: Pick<Upload, 'number' | 'patient' | 'mismatches'>
  onAccept: (reason: string) => Promise<void>
  onClose: () => void
}) {
  return (
    <FormDialog
      title={`Accepți încărcarea nr. ${number}?`}
      role="alertdialog"
      saveLabel="Acceptă totuși"
      variant="danger"
      stored={{ reason: '' }}
      onSave={({ reason }, release) => {
        release()
        return onAccept(reason.trim())
      }}
      onClose={onClose}
    >
      <div className="grid gap-2 text-sm">
        <p>
          Încărcarea este a pacientului <span className="font-semibold">{patient?.name}</span>, dar în
          document este CNP-ul altcuiva:
        </p>
        <MismatchList mismatches={mismatches} />
      </div>
      <Field
        type="textarea"
        name="reason"
        label="De ce este corect așa"
        help="Rămâne lângă verdict, cu numele tău. Ctrl Enter trimite."
        validation="required:trim"
        validationMessages={{ required: 'Scrie de ce este corect, sau anulează și schimbă pacientul.' }}
        rows={3}
        maxLength={LIMITS.longText}
        autoFocus
      />
    </FormDialog>
  )
}
