import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { REMOVE_FILE, type Upload } from '../upload.queries.ts'
import { useRestoreFile } from '../use-restore-file.ts'

const EMPTY = { reason: '' }

/** Removes a file from an upload, with a reason for colleagues; the notification afterwards can undo it. */
export function RemoveFileDialog({
  file: selected,
  upload,
  onRemoved,
  onClose,
}: {
  file: Upload['files'][number]
  upload: Pick<Upload, 'state' | 'institution'>
  /** Called with the version of the upload after the removal. */
  onRemoved: (version: number) => void
  onClose: () => void
}) {
  // The file at the time of opening: after the removal another file is selected.
  const [file] = useState(selected)
  const [removeFile] = useMutation(REMOVE_FILE)
  const restore = useRestoreFile()
  return (
    <FormDialog
      title="Elimină fișierul"
      saveLabel="Elimină"
      variant="danger"
      stored={EMPTY}
      onSave={async ({ reason }, release) => {
        const { data } = await removeFile({ variables: { id: file.id, reason } })
        if (!data) return
        onRemoved(data.removeFile.version)
        release()
        onClose()
        showToast({
          tone: 'success',
          title: `„${file.name}” a fost eliminat`,
          action: { label: 'Anulează', onAction: () => void restore(file) },
        })
      }}
      onClose={onClose}
    >
      <p className="text-sm break-words">
        „{file.name}” nu mai poate fi deschis de nimeni
        {upload.state === 'released' && upload.institution && `, nici de ${upload.institution.name}`}. Îl poți
        repune timp de {LIMITS.binDays} de zile; apoi se șterge definitiv.
        {(upload.state === 'released' || upload.state === 'accepted') &&
          ' Dacă îl repui, încărcarea trece din nou prin verificare.'}
      </p>
      <Field
        type="text"
        name="reason"
        label="Motivul"
        help="Îl citesc colegii, nu și instituția."
        validation="required:trim"
        maxLength={LIMITS.shortText}
        autoFocus
      />
    </FormDialog>
  )
}
