import { useApolloClient, useMutation, useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { formatDate } from '../../../shared/romanian.ts'
import { Field } from '../../forms/field.ts'
import { useForm } from '../../forms/form.tsx'
import { FormSheet } from '../../forms/form-sheet.tsx'
import { Alert } from '../../ui/alert.tsx'
import { TextLink } from '../../ui/link.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCategoryOptions, withPath } from '../categories/use-category-options.ts'
import { EDIT_UPLOAD, PATIENT_CHOICES, PATIENT_INSTITUTIONS, type Upload } from './upload.queries.ts'

type Values = {
  patientId: string | null
  institutionId: string | null
  categorySlug: string | null
  title: string
  examinedOn: string | null
  referringDoctor: string
  accessionNumber: string
  note: string
}

const valuesOf = (upload: Upload): Values => ({
  patientId: upload.patient?.id ?? null,
  institutionId: upload.institution?.id ?? null,
  categorySlug: upload.category?.slug ?? null,
  title: upload.title,
  examinedOn: upload.examinedOn,
  referringDoctor: upload.referringDoctor ?? '',
  accessionNumber: upload.accessionNumber ?? '',
  note: upload.note ?? '',
})

export interface EditUploadDialogProps {
  upload: Upload
  /** With the new version. */
  onSaved: (version: number) => void
  onClose: () => void
}

/** Changes what is said of an upload, its patient among it, before the verdict. */
export function EditUploadDialog({ upload, onSaved, onClose }: EditUploadDialogProps) {
  // The version that the form began with: what others save meanwhile is refused, not overwritten.
  const [version] = useState(upload.version)
  const [editUpload] = useMutation(EDIT_UPLOAD)
  const categories = useCategoryOptions(upload.category?.slug)

  const save = async (values: Values, release: () => void) => {
    const { data } = await editUpload({ variables: { id: upload.id, version, upload: values } })
    if (!data) return
    release()
    onSaved(data.editUpload.version)
    showToast({ tone: 'success', title: `Datele încărcării nr. ${upload.number} au fost salvate` })
    onClose()
  }
  return (
    <FormSheet
      title={`Încărcarea nr. ${upload.number}`}
      saveLabel="Salvează"
      stored={valuesOf(upload)}
      onSave={save}
      onClose={onClose}
    >
      <PatientField upload={upload} />
      <InstitutionField upload={upload} />
      <Field
        type="autocomplete"
        name="categorySlug"
        label="Categorie"
        placeholder="Alege categoria"
        options={categories.map(withPath)}
        emptyText="Nicio categorie găsită"
      />
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field type="text" name="referringDoctor" label="Medic trimițător" maxLength={LIMITS.shortText} />
      <Field type="text" name="accessionNumber" label="Număr de acces" maxLength={60} />
      <Field
        type="textarea"
        name="note"
        label="Notă"
        help="O văd doar colegii, nu și instituția."
        rows={3}
        maxLength={LIMITS.longText}
      />
    </FormSheet>
  )
}

type PatientChoice = {
  id: string
  name: string
  number: number
  birthDate: string | null
  cnpMasked: string | null
}

const choiceOf = ({ id, name, number, birthDate, cnpMasked }: PatientChoice) => ({
  id,
  label: name,
  description: [birthDate && formatDate(birthDate), cnpMasked && `CNP ${cnpMasked}`, `nr. ${number}`]
    .filter(Boolean)
    .join(' · '),
})

function PatientField({ upload }: { upload: Upload }) {
  const client = useApolloClient()
  const findPatients = async (search: string, after: string | null) => {
    const { data } = await client.query({ query: PATIENT_CHOICES, variables: { search, after } })
    const { nodes, endCursor } = data!.patients
    return { options: nodes.map(choiceOf), next: endCursor }
  }
  return (
    <Field
      type="autocomplete"
      name="patientId"
      label="Pacient"
      placeholder="Nume, CNP, telefon sau număr"
      loadOptions={findPatients}
      chosen={upload.patient ? choiceOf(upload.patient) : undefined}
      emptyText="Niciun pacient găsit"
      autoFocus={!upload.patient}
    />
  )
}

/** Only those that have referred the patient: nobody else could ever open the result. */
function InstitutionField({ upload }: { upload: Upload }) {
  const { values, fill } = useForm<Values>()
  const { patientId = null, institutionId = null } = values
  const { data } = useQuery(PATIENT_INSTITUTIONS, {
    variables: { patientId: patientId ?? '' },
    skip: patientId === null,
  })
  const referrals = patientId === null ? null : data?.patient.referrals
  const names = new Map(referrals?.map((referral) => [referral.institutionId, referral.institutionName]))
  if (!referrals && upload.institution) names.set(upload.institution.id, upload.institution.name)
  const options = [...names].map(([id, label]) => ({ id, label }))

  // Another patient: what was chosen for the last one falls away, and where there is one institution it is that one.
  useEffect(() => {
    if (!referrals) return
    const ids = new Set(referrals.map((referral) => referral.institutionId))
    if (institutionId && ids.has(institutionId)) return
    const [only] = ids
    const next = ids.size === 1 ? (only ?? null) : null
    if (next !== institutionId) fill('institutionId', next)
  })

  return (
    <>
      {referrals?.length === 0 && patientId && (
        <Alert tone="warning" title="Pacientul nu are nicio trimitere">
          Fără trimitere, nicio instituție nu poate vedea rezultatul.{' '}
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
