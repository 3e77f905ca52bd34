import { useMutation, useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { onlyDoctor } from '../../../../shared/referring-doctor.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { Field } from '../../../forms/core/field.ts'
import { useForm } from '../../../forms/core/form.tsx'
import { BesideFormSheet } from '../../../forms/saved-form/form-sheet.tsx'
import { TextLink } from '../../../ui/base/link.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { patientOption, useFindPatients } from '../../patients/use-find-patients.ts'
import { EDIT_UPLOAD, PATIENT_INSTITUTIONS, type Upload } from '../upload.queries.ts'
import { DetailFields, type Details, detailsOf, NoteField, useFormVersion } from './detail-fields.tsx'
import { type ProposedPatient, ProposedPatients, useProposedPatients } from './proposed-patients.tsx'

type Values = Details & { patientId: string | null; note: string }

const valuesOf = (upload: Upload): Values => ({
  ...detailsOf(upload),
  patientId: upload.patient?.id ?? null,
  note: upload.note ?? '',
})

export interface EditUploadDialogProps {
  upload: Upload
  /** Called with the new version. */
  onSaved: (version: number) => void
  onClose: () => void
}

/** The form for the data of an upload, including its patient, before the verdict. */
export function EditUploadDialog({ upload, onSaved, onClose }: EditUploadDialogProps) {
  const { version, reload } = useFormVersion(upload, valuesOf)
  const [editUpload] = useMutation(EDIT_UPLOAD)
  const proposed = useProposedPatients(upload)

  const save = async (values: Values, release: () => void) => {
    const { data } = await editUpload({ variables: { id: upload.id, version, upload: values } })
    if (!data) return
    release()
    onSaved(data.editUpload.version)
    showToast({ tone: 'success', title: `Datele încărcării nr. ${upload.number} au fost salvate` })
    onClose()
  }
  return (
    <BesideFormSheet
      title={`Încărcarea nr. ${upload.number}`}
      saveLabel="Salvează"
      stored={valuesOf(upload)}
      onSave={save}
      onReload={reload}
      onClose={onClose}
    >
      <RecipientFields upload={upload} proposed={proposed} />
      <DetailFields categorySlug={upload.category?.slug} />
      <NoteField />
    </BesideFormSheet>
  )
}

/**
 * The fields for the patient and the institution that receives the result; another patient resets the
 * institution.
 */
export function RecipientFields({
  upload,
  proposed = [],
}: {
  /** The patients whom the files name. */
  proposed?: readonly ProposedPatient[]
  upload: Pick<Upload, 'referringDoctor'> & {
    patient: Omit<NonNullable<Upload['patient']>, 'sex'> | null
    institution: { id: string; name: string } | null
  }
}) {
  const { values, fill } = useForm<Values>()
  const { patientId = null, institutionId = null, referringDoctor = '' } = values
  /** The doctor proposed from a patient's referrals, who is replaced with the patient. */
  const [referred, setReferred] = useState<string | null>(null)
  /** The patient chosen in this dialog; null means that the stored institution applies. */
  const [chosenId, setChosenId] = useState<string | null>(null)
  const isStored = patientId === (upload.patient?.id ?? null)

  // Not from the cache: an institution may have referred the patient since.
  const { data, error } = useQuery(PATIENT_INSTITUTIONS, {
    variables: { patientId: patientId ?? '' },
    skip: patientId === null,
    fetchPolicy: 'network-only',
  })
  const referrals = data && data.patient.id === patientId ? data.patient.referrals : undefined
  // An ended referral or a suspended institution cannot be chosen; the institution stored in the upload stays available.
  const open = referrals?.filter(({ institutionSuspended, endedOn }) => !institutionSuspended && !endedOn)
  const names = new Map(open?.map((referral) => [referral.institutionId, referral.institutionName]))
  if (isStored && upload.institution) names.set(upload.institution.id, upload.institution.name)
  const options = [...names].map(([id, label]) => ({ id, label }))

  const findPatients = useFindPatients()
  const choose = (next: string | null) => {
    const isBack = next !== null && next === upload.patient?.id
    const isOfReferral = referrals?.some(({ doctor }) => doctor === referringDoctor)
    if (isOfReferral || referringDoctor === referred) {
      fill('referringDoctor', isBack ? (upload.referringDoctor ?? '') : '')
      setReferred(isBack ? null : '')
    }
    fill('institutionId', isBack ? (upload.institution?.id ?? null) : null)
    setChosenId(isBack ? null : next)
  }
  // If exactly one institution has referred the chosen patient, it is selected.
  useEffect(() => {
    if (chosenId === null || chosenId !== patientId || !open) return
    const [only, ...rest] = new Set(open.map((referral) => referral.institutionId))
    if (only && rest.length === 0) fill('institutionId', only)
    setChosenId(null)
  })
  // Proposes the doctor of the new patient's referrals, unless the user has entered another doctor meanwhile.
  useEffect(() => {
    if (isStored || referred === null || referringDoctor !== referred || !referrals) return
    const own = referrals.filter((each) => each.institutionId === institutionId && !each.endedOn)
    const proposed = onlyDoctor(own.map(({ doctor }) => doctor)) ?? ''
    if (proposed === referred) return
    setReferred(proposed)
    fill('referringDoctor', proposed)
  })

  return (
    <>
      {patientId === null && proposed.length > 0 && (
        <ProposedPatients
          patients={proposed}
          onChoose={(id) => {
            fill('patientId', id)
            choose(id)
          }}
        />
      )}
      <Field
        type="autocomplete"
        name="patientId"
        label="Pacient"
        placeholder="Nume, CNP, data nașterii sau telefon"
        loadOptions={findPatients}
        chosen={[...(upload.patient ? [upload.patient] : []), ...proposed].map(patientOption)}
        emptyText="Niciun pacient găsit"
        onChoose={choose}
        groupedWith="institutionId"
        // If a patient is selected, React Aria would not write the name into a field that already has the
        // focus.
        autoFocus={!upload.patient}
      />
      {error && (
        <Alert tone="danger" title="Instituțiile pacientului nu s-au încărcat">
          {errorMessage(error)}
        </Alert>
      )}
      {referrals?.every(({ endedOn }) => endedOn) && patientId && (
        <Alert tone="warning" title="Pacientul nu are nicio trimitere în curs">
          Fără trimitere în curs, nicio instituție nu poate vedea încărcarea.{' '}
          <TextLink to="/patients/$patientId" params={{ patientId }}>
            Adaugă trimiterea pe pagina pacientului
          </TextLink>
        </Alert>
      )}
      <Field
        type="dropdown"
        name="institutionId"
        label="Instituție"
        placeholder={patientId ? 'Alege instituția' : 'Alege întâi pacientul'}
        disabled={options.length === 0}
        options={options}
      />
    </>
  )
}
