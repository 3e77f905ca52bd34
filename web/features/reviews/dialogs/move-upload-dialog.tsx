import { useMutation } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { LIMITS } from '../../../../shared/limits.ts'
import type { AcceptReason } from '../../../../shared/reviews/accept-reasons.ts'
import { isFinal } from '../../../../shared/uploads/upload-states.ts'
import { Field } from '../../../forms/core/field.ts'
import { BesideFormSheet } from '../../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { MOVE_RELEASED_UPLOAD } from '../../incidents/incidents.queries.ts'
import { UploadOpenings } from '../../incidents/openings.tsx'
import type { Upload } from '../upload.queries.ts'
import { RecipientFields } from './edit-upload-dialog.tsx'
import { MoveComparison } from './move-comparison.tsx'

type Values = {
  patientId: string | null
  institutionId: string | null
  discoveredOn: string | null
  reason: string
  despite: AcceptReason | null
  despiteComment: string
}

/** Moves an upload to the patient to whom it belongs after its verdict, after showing who has opened it. */
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
  const { id, version, number, patient, state, releasedAt, replaces, replacedBy } = upload
  const isEnded = isFinal(state)
  const move = async ({ patientId, ...values }: Values, release: () => void) => {
    const { data } = await moveUpload({ variables: { id, version, patientId: patientId ?? '', ...values } })
    if (!data) return
    const incident = data.moveReleasedUpload
    release()
    onClose()
    await onMoved().catch(() => undefined)
    showToast({
      tone: 'success',
      title: isEnded ? `Nr. ${number} a fost mutată` : `Nr. ${number} a fost mutată și așteaptă verificarea`,
      ...(incident && {
        description: `S-a deschis incidentul nr. ${incident.number}.`,
        action: {
          label: 'Vezi incidentul',
          onAction: () =>
            void navigate({ to: '/incidents/$incidentId', params: { incidentId: incident.id } }),
        },
      }),
    })
  }
  return (
    <BesideFormSheet<Values>
      title={`Mută nr. ${number} la alt pacient`}
      saveLabel={releasedAt ? 'Mută și deschide incident' : 'Mută'}
      variant="danger"
      stored={{
        patientId: null,
        institutionId: null,
        discoveredOn: new Date().toLocaleDateString('sv-SE'),
        reason: '',
        despite: null,
        despiteComment: '',
      }}
      onSave={move}
      onClose={onClose}
    >
      <Alert
        tone="warning"
        title={`${releasedAt ? 'Eliberată' : 'Încărcată'} pentru ${patient?.name ?? 'alt pacient'}`}
      >
        {releasedAt && 'Cine a deschis-o este rugat să șteargă ce are. '}
        {isEnded
          ? 'Se mută singură și rămâne cum este, nevăzută din afară.'
          : 'Accesul se oprește pe loc, odată cu descărcările în curs, iar încărcarea trece din nou prin verificare.'}
        {!isEnded &&
          (replaces || replacedBy) &&
          ' Celelalte versiuni ale ei se mută odată cu ea. Dacă doar ea este a altui pacient, retrage-o întâi.'}
      </Alert>
      <UploadOpenings uploadId={id} />
      <RecipientFields upload={{ ...upload, patient: null, institution: null }} />
      <MoveComparison uploadId={id} />
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
    </BesideFormSheet>
  )
}
