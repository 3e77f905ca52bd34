import { useMutation, useQuery } from '@apollo/client/react'
import { LIMITS } from '../../../../shared/limits.ts'
import { Field } from '../../../forms/core/field.ts'
import { useForm } from '../../../forms/core/form.tsx'
import { BesideFormSheet } from '../../../forms/saved-form/form-sheet.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { UploadOpenings } from '../../incidents/openings.tsx'
import { DetailFields, type Details, detailsOf, useFormVersion } from '../dialogs/detail-fields.tsx'
import { CORRECT_UPLOAD, PATIENT_INSTITUTIONS, type Upload } from '../upload.queries.ts'

type Values = Details & { reason: string }

const valuesOf = (upload: Upload): Values => ({ ...detailsOf(upload), reason: '' })

/** The form for the details of an upload after its verdict, with the reason of the correction. */
export function CorrectDialog({
  upload,
  onSaved,
  onClose,
}: {
  upload: Upload
  /** Called with the new version. */
  onSaved: (version: number) => void
  onClose: () => void
}) {
  const { version, reload } = useFormVersion(upload, valuesOf)
  const [correctUpload] = useMutation(CORRECT_UPLOAD)

  const save = async ({ reason, ...values }: Values, release: () => void) => {
    const { data } = await correctUpload({ variables: { id: upload.id, version, upload: values, reason } })
    if (!data) return
    release()
    onSaved(data.correctUpload.version)
    const isReturned = data.correctUpload.state === 'in_review'
    showToast({
      tone: 'success',
      title: `Nr. ${upload.number} a fost corectată`,
      description: isReturned ? describeReturn(upload, data.correctUpload) : undefined,
    })
    onClose()
  }
  return (
    <BesideFormSheet
      title={`Corectează nr. ${upload.number}`}
      saveLabel="Corectează"
      stored={valuesOf(upload)}
      onSave={save}
      onReload={reload}
      onClose={onClose}
    >
      <Alert tone="info">
        Cu altă instituție, sau cu o categorie care cere altă verificare ori eliberare, încărcarea trece din
        nou prin verificare și nu o mai vede nimeni din afară până atunci.
      </Alert>
      <InstitutionField upload={upload} />
      <FormerInstitution upload={upload} />
      <DetailFields categorySlug={upload.category?.slug} />
      <Field
        type="text"
        name="reason"
        label="Motivul corecturii"
        help="Rămâne în jurnal, cu ce era înainte și cu numele tău."
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
    </BesideFormSheet>
  )
}

function describeReturn(before: Upload, { incidents }: Upload): string {
  const opened = incidents.find(({ id }) => !before.incidents.some((known) => known.id === id))
  return `Este din nou de verificat; din afară nu o mai vede nimeni.${opened ? ` S-a deschis incidentul nr. ${opened.number}.` : ''}`
}

/** Shows who has opened the result, as soon as another institution is chosen for it. */
function FormerInstitution({ upload: { id, releasedAt, institution } }: { upload: Upload }) {
  const { institutionId } = useForm<Values>().values
  if (!releasedAt || !institution || institutionId === institution.id) return null
  return (
    <Alert tone="warning" title={`${institution.name} nu o va mai vedea`}>
      <div className="grid gap-2">
        <p>Dacă a deschis-o, se deschide un incident și este rugată să șteargă ce are.</p>
        <UploadOpenings uploadId={id} />
      </div>
    </Alert>
  )
}

/** The institutions with a referral that has not ended, without suspended ones, and the present one. */
function InstitutionField({ upload: { patient, institution } }: { upload: Upload }) {
  const { data } = useQuery(PATIENT_INSTITUTIONS, {
    variables: { patientId: patient?.id ?? '' },
    skip: !patient,
    fetchPolicy: 'network-only',
  })
  const open =
    data?.patient.referrals.filter(
      ({ institutionSuspended, endedOn }) => !institutionSuspended && !endedOn,
    ) ?? []
  const names = new Map(open.map(({ institutionId, institutionName }) => [institutionId, institutionName]))
  if (institution) names.set(institution.id, institution.name)
  return (
    <Field
      type="dropdown"
      name="institutionId"
      label="Instituție"
      disabled={names.size === 0}
      options={[...names].map(([id, label]) => ({ id, label }))}
    />
  )
}
