import { type FormEvent, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { useCategoryOptions } from '../categories/use-category-options.ts'
import { CategoryField } from './category-field.tsx'
import { proposeTitle } from './title-proposal.ts'
import type { UploadFacts } from './use-filing.ts'

export type FiledPatient = {
  id: string
  name: string
  referrals: readonly { institutionId: string; institutionName: string; doctor: string | null }[]
}

const NO_INSTITUTION = 'none'

export interface FilingFormProps {
  patient: FiledPatient
  fileNames: readonly string[]
  onSubmit: (facts: UploadFacts) => void
  onCancel: () => void
  isPending: boolean
  /** Of the last try. */
  failure: unknown
}

/** What the chosen files are: one press and they go. */
export function FilingForm({ patient, fileNames, onSubmit, onCancel, isPending, failure }: FilingFormProps) {
  const categories = useCategoryOptions()
  const institutions = listInstitutions(patient)
  const [categorySlug, setCategorySlug] = useState<string | null>(null)
  const [ownTitle, setOwnTitle] = useState<string | null>(null)
  const [chosenInstitution, setInstitution] = useState<string | null>(null)
  const [ownDoctor, setOwnDoctor] = useState<string | null>(null)
  const [examinedOn, setExaminedOn] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)

  const errors = fieldErrors(failure)
  const category = categories.find(({ id }) => id === categorySlug)
  const title =
    ownTitle ??
    proposeTitle({ fileNames, patientName: patient.name, categoryName: category?.label ?? null }) ??
    ''
  const [only, ...others] = institutions
  const institutionId =
    chosenInstitution ??
    (only && others.length === 0 ? only.id : institutions.length === 0 ? NO_INSTITUTION : null)
  const referringDoctor = ownDoctor ?? findDoctor(patient, institutionId)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (title.trim() === '' || institutionId === null || isPending) return
    onSubmit({
      title,
      categorySlug,
      institutionId: institutionId === NO_INSTITUTION ? null : institutionId,
      examinedOn,
      referringDoctor,
      note,
    })
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <CategoryField
        options={categories}
        value={categorySlug}
        onChange={setCategorySlug}
        error={errors.categorySlug}
        autoFocus
      />
      <TextField
        label="Titlu"
        isRequired
        autoComplete="off"
        maxLength={LIMITS.shortText}
        value={title}
        onChange={setOwnTitle}
        error={errors.title ?? (isTried && title.trim() === '' ? 'Titlul este necesar.' : null)}
      />
      {institutions.length === 0 ? (
        <Alert tone="warning" className="sm:col-span-2">
          Pacientul nu are nicio trimitere, deci rezultatul nu va ajunge la nicio instituție. Adaugă întâi
          trimiterea.
        </Alert>
      ) : (
        <Select
          label="Instituția care primește rezultatul"
          className="sm:col-span-2"
          isRequired
          options={[...institutions, { id: NO_INSTITUTION, label: 'Fără instituție' }]}
          value={institutionId}
          onChange={(id) => {
            setInstitution(id)
            setOwnDoctor(null)
          }}
          error={errors.institutionId ?? (isTried && institutionId === null ? 'Alege instituția.' : null)}
        />
      )}
      <TextField
        label="Medic trimițător"
        autoComplete="off"
        maxLength={LIMITS.shortText}
        value={referringDoctor}
        onChange={setOwnDoctor}
        error={errors.referringDoctor}
      />
      <DateField
        label="Data examinării"
        value={examinedOn}
        onChange={setExaminedOn}
        error={errors.examinedOn}
      />
      <TextArea
        label="Notă pentru colegi"
        className="sm:col-span-2"
        rows={2}
        maxLength={LIMITS.longText}
        value={note}
        onChange={setNote}
        error={errors.note}
      />
      {failure != null && Object.keys(errors).length === 0 && (
        <Alert tone="danger" isLive title="Încărcarea nu a început" className="sm:col-span-2">
          {errorMessage(failure)}
        </Alert>
      )}
      <div className="flex flex-col-reverse gap-2 sm:col-span-2 sm:flex-row sm:justify-end">
        <Button onPress={onCancel}>Anulează</Button>
        <Button
          variant="primary"
          icon="upload"
          type="submit"
          isPending={isPending}
          isDisabled={fileNames.length === 0}
        >
          Încarcă și trimite la verificare
        </Button>
      </div>
    </form>
  )
}

function listInstitutions({ referrals }: FiledPatient) {
  const names = new Map(
    referrals.map(({ institutionId, institutionName }) => [institutionId, institutionName]),
  )
  return [...names].map(([id, label]) => ({ id, label }))
}

/** The doctor of the institution's referrals, where they name one. */
function findDoctor({ referrals }: FiledPatient, institutionId: string | null): string {
  const doctors = new Set(
    referrals.flatMap((referral) => (referral.institutionId === institutionId && referral.doctor) || []),
  )
  const [only, ...others] = doctors
  return only && others.length === 0 ? only : ''
}
