import { useMutation } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormSheet } from '../../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { MOVE_RELEASED_UPLOAD } from '../../incidents/incidents.queries.ts'
import { UploadOpenings } from '../../incidents/openings.tsx'
import type { Upload } from '../upload.queries.ts'
import { RecipientFields } from './edit-upload-dialog.tsx'

type Values = {
  patientId: string | null
  institutionId: string | null
  discoveredOn: string | null
  reason: string
}

/** Moves a released upload to the patient to whom it belongs, after showing who has opened it. */
export function MoveUploadDialog({
  upload,
  onMoved,
  onClose,
}: {
  upload: Upload
  /** Called after the move. */
  onMoved: () => Promise<unknown>
  onClose: () => void
}) {
  const navigate = useNavigate()
  const [moveUpload] = useMutation(MOVE_RELEASED_UPLOAD)
  const { id, version, number, patient } = upload
  const move = async ({ patientId, ...values }: Values, release: () => void) => {
    const { data } = await moveUpload({ variables: { id, version, patientId: patientId ?? '', ...values } })
    if (!data) return
    const { id: incidentId, number: incidentNumber } = data.moveReleasedUpload
    release()
    onClose()
    await onMoved().catch(() => undefined)
    showToast({
      tone: 'success',
      title: `Nr. ${number} a fost mutată și așteaptă verificarea`,
      description: `S-a deschis incidentul nr. ${incidentNumber}.`,
      action: {
        label: 'Vezi incidentul',
        onAction: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId } }),
      },
    })
  }
  return (
    <FormSheet<Values>
      title={`Mută nr. ${number} la alt pacient`}
      saveLabel="Mută și deschide incident"
      variant="danger"
      stored={{
        patientId: null,
        institutionId: null,
        discoveredOn: new Date().toLocaleDateString('sv-SE'),
        reason: '',
      }}
      onSave={move}
      onClose={onClose}
    >
      <Alert tone="warning" title={`Eliberată pentru ${patient?.name ?? 'alt pacient'}`}>
        Accesul se oprește pe loc, odată cu descărcările în curs. Cine a deschis-o este rugat să șteargă ce
        are, iar încărcarea trece din nou prin verificare.
      </Alert>
      <UploadOpenings uploadId={id} />
      <RecipientFields upload={{ ...upload, patient: null, institution: null }} />
      <Field
        type="datepicker"
        name="discoveredOn"
        label="S-a aflat în ziua"
        help="De atunci curg cele 72 de ore pentru ANSPDCP."
        validation="required"
      />
      <Field
        type="textarea"
        name="reason"
        label="Cum s-a aflat și ce s-a întâmplat"
        help="Apare în incident și în raport. Fără nume și CNP."
        validation="required:trim"
        rows={3}
        maxLength={LIMITS.shortText}
      />
    </FormSheet>
  )
}
