import { useMutation, useQuery } from '@apollo/client/react'
import { type FormEvent, useEffect, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { formatDate } from '../../../shared/romanian.ts'
import { errorCode, errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { SideSheet } from '../../ui/dialog.tsx'
import { TextLink } from '../../ui/link.tsx'
import { type Option, Select } from '../../ui/select.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCategoryOptions } from '../categories/use-category-options.ts'
import { EDIT_UPLOAD, PATIENT_CHOICES, PATIENT_INSTITUTIONS, type Upload } from './upload.queries.ts'

const FORM = 'edit-upload-form'

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

/** Changes what is said of an upload, its patient among it, before the verdict. */
export function EditUploadDialog({
  upload,
  onSaved,
  onClose,
}: {
  upload: Upload
  /** With the new version. */
  onSaved: (version: number) => void
  onClose: () => void
}) {
  const [values, setValues] = useState(() => valuesOf(upload))
  // The version that the form began with: what others save meanwhile is refused, not overwritten.
  const [version] = useState(upload.version)
  const [editUpload, { error, loading }] = useMutation(EDIT_UPLOAD)
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }))
  const errors = fieldErrors(error)
  const isUnderField = Object.keys(errors).length > 0

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (loading) return
    const saved = await editUpload({ variables: { id: upload.id, version, upload: values } }).catch(
      () => null,
    )
    if (!saved?.data) return
    onSaved(saved.data.editUpload.version)
    showToast({ tone: 'success', title: `Datele încărcării nr. ${upload.number} au fost salvate` })
    onClose()
  }

  return (
    <SideSheet
      title={`Încărcarea nr. ${upload.number}`}
      isOpen
      isDismissable={false}
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Anulează</Button>
          <Button type="submit" form={FORM} variant="primary" isPending={loading}>
            Salvează
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        {error && !isUnderField && (
          <Alert tone="danger" isLive title="Datele nu au fost salvate">
            {errorCode(error) === 'CONFLICT'
              ? 'Încărcarea s-a schimbat între timp. Închide formularul, uită-te la datele noi și editează din nou.'
              : errorMessage(error)}
          </Alert>
        )}
        <PatientField upload={upload} values={values} onChange={set} error={errors.patientId} />
        <InstitutionField upload={upload} values={values} onChange={set} error={errors.institutionId} />
        <CategoryField
          value={values.categorySlug}
          onChange={(categorySlug) => set({ categorySlug })}
          error={errors.categorySlug}
        />
        <TextField
          label="Titlu"
          isRequired
          maxLength={LIMITS.shortText}
          value={values.title}
          onChange={(title) => set({ title })}
          error={errors.title}
        />
        <DateField
          label="Data examinării"
          value={values.examinedOn}
          onChange={(examinedOn) => set({ examinedOn })}
          error={errors.examinedOn}
        />
        <TextField
          label="Medic trimițător"
          maxLength={LIMITS.shortText}
          value={values.referringDoctor}
          onChange={(referringDoctor) => set({ referringDoctor })}
          error={errors.referringDoctor}
        />
        <TextField
          label="Număr de acces"
          maxLength={60}
          value={values.accessionNumber}
          onChange={(accessionNumber) => set({ accessionNumber })}
          error={errors.accessionNumber}
        />
        <TextArea
          label="Notă"
          help="O văd doar colegii, nu și instituția."
          rows={3}
          maxLength={LIMITS.longText}
          value={values.note}
          onChange={(note) => set({ note })}
          error={errors.note}
        />
      </form>
    </SideSheet>
  )
}

type FieldProps = {
  upload: Upload
  values: Values
  onChange: (change: Partial<Values>) => void
  error: string | undefined
}

const describePatient = (patient: { number: number; birthDate: string | null; cnpMasked: string | null }) =>
  [
    patient.birthDate && formatDate(patient.birthDate),
    patient.cnpMasked && `CNP ${patient.cnpMasked}`,
    `nr. ${patient.number}`,
  ]
    .filter(Boolean)
    .join(' · ')

function PatientField({ upload, values, onChange, error }: FieldProps) {
  const [search, setSearch] = useState(upload.patient?.name ?? '')
  const { data, previousData, loading } = useQuery(PATIENT_CHOICES, { variables: { search } })
  const found = (data ?? previousData)?.patients.nodes ?? []
  const kept =
    upload.patient && !found.some(({ id }) => id === upload.patient?.id) ? [upload.patient, ...found] : found
  const options: Option[] = kept.map((patient) => ({
    id: patient.id,
    label: patient.name,
    description: describePatient(patient),
  }))
  return (
    <ComboBox
      label="Pacient"
      placeholder="Nume, CNP, telefon sau număr"
      autoFocus={!upload.patient}
      options={options}
      value={values.patientId}
      onChange={(patientId) => onChange({ patientId })}
      onSearch={setSearch}
      isLoading={loading}
      emptyText="Niciun pacient găsit"
      error={error}
    />
  )
}

/** Only those that have referred the patient: nobody else could ever open the result. */
function InstitutionField({ upload, values, onChange, error }: FieldProps) {
  const { patientId, institutionId } = values
  const { data } = useQuery(PATIENT_INSTITUTIONS, {
    variables: { patientId: patientId ?? '' },
    skip: patientId === null,
  })
  const referrals = patientId === null ? null : data?.patient.referrals
  const names = new Map(referrals?.map((referral) => [referral.institutionId, referral.institutionName]))
  if (!referrals && upload.institution) names.set(upload.institution.id, upload.institution.name)
  const options: Option[] = [...names].map(([id, label]) => ({ id, label }))

  // Another patient: what was chosen for the last one falls away, and where there is one institution it is that one.
  useEffect(() => {
    if (!referrals) return
    const ids = new Set(referrals.map((referral) => referral.institutionId))
    if (institutionId && ids.has(institutionId)) return
    const [only] = ids
    const next = ids.size === 1 ? (only ?? null) : null
    if (next !== institutionId) onChange({ institutionId: next })
  })

  if (referrals?.length === 0 && patientId) {
    return (
      <Alert tone="warning" title="Pacientul nu are nicio trimitere">
        Fără trimitere, nicio instituție nu poate vedea rezultatul.{' '}
        <TextLink to="/patients/$patientId" params={{ patientId }}>
          Adaugă trimiterea pe pagina pacientului
        </TextLink>
      </Alert>
    )
  }
  return (
    <Select
      label="Instituție"
      placeholder={patientId ? 'Alege instituția' : 'Alege întâi pacientul'}
      isDisabled={options.length === 0}
      options={options}
      value={institutionId}
      onChange={(id) => onChange({ institutionId: id })}
      error={error}
    />
  )
}

function CategoryField({
  value,
  onChange,
  error,
}: {
  value: string | null
  onChange: (slug: string | null) => void
  error: string | undefined
}) {
  const options = useCategoryOptions(value)
  return (
    <ComboBox
      label="Categorie"
      placeholder="Alege categoria"
      options={options}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}
