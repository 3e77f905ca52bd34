import { useId } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { onlyDoctor } from '../../../shared/referring-doctor.ts'
import { Field } from '../../forms/core/field.ts'
import { Form, useForm } from '../../forms/core/form.tsx'
import { useProposal } from '../../forms/core/use-proposal.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useCategoryOptions, withPath } from '../categories/use-category-options.ts'
import { proposeTitle } from './title-proposal.ts'
import type { UploadInput } from './upload-server.ts'

export type NewUploadPatient = {
  id: string
  name: string
  referrals: readonly {
    institutionId: string
    institutionName: string
    institutionSuspended: boolean
    doctor: string | null
    endedOn: string | null
  }[]
}

/** The option for no institution; an empty field is a missing choice. */
const NO_INSTITUTION = 'none'

export interface NewUploadFormProps {
  patient: NewUploadPatient
  fileNames: readonly string[]
  onSubmit: (input: UploadInput) => Promise<unknown>
  onCancel: () => void
  isPending: boolean
}

/** Asks what the chosen files are; submitting it creates the upload and sends them. */
export function NewUploadForm({ patient, fileNames, onSubmit, onCancel, isPending }: NewUploadFormProps) {
  const institutions = listInstitutions(patient)
  const [only, ...others] = institutions
  const start: UploadInput = {
    title: '',
    categorySlug: null,
    institutionId: only && others.length === 0 ? only.id : null,
    examinedOn: null,
    referringDoctor: '',
    note: '',
  }
  return (
    <Form
      id={useId()}
      start={start}
      failureTitle="Încărcarea nu a început"
      onSubmit={({ institutionId, ...input }) =>
        onSubmit({ ...input, institutionId: institutionId === NO_INSTITUTION ? null : institutionId })
      }
      className="sm:grid-cols-2"
    >
      <TitleFields patient={patient} fileNames={fileNames} />
      {institutions.length === 0 ? (
        <Alert tone="warning" className="col-span-full">
          {patient.referrals.length === 0
            ? 'Pacientul nu are nicio trimitere'
            : 'Pacientul are doar trimiteri încheiate sau de la instituții suspendate'}
          , deci încărcarea nu va ajunge la nicio instituție. Adaugă întâi trimiterea.
        </Alert>
      ) : (
        <Field
          type="dropdown"
          name="institutionId"
          label="Destinatarul"
          options={[...institutions, { id: NO_INSTITUTION, label: 'Fără instituție' }]}
          validation="required"
          className="col-span-full"
        />
      )}
      <DoctorField patient={patient} />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field
        type="textarea"
        name="note"
        label="Notă pentru colegi"
        rows={2}
        maxLength={LIMITS.longText}
        className="col-span-full"
      />
      <div className="col-span-full flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onPress={onCancel} isDisabled={isPending}>
          Anulează
        </Button>
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
    </Form>
  )
}

/** Category and title; the title is proposed until the user writes one. */
function TitleFields({ patient, fileNames }: Pick<NewUploadFormProps, 'patient' | 'fileNames'>) {
  const { values } = useForm<UploadInput>()
  const categories = useCategoryOptions()
  const category = categories.find(({ id }) => id === values.categorySlug)
  const proposal =
    proposeTitle({ fileNames, patientName: patient.name, categoryName: category?.label ?? null }) ?? ''
  useProposal<UploadInput>('title', proposal)
  return (
    <>
      <Field
        type="autocomplete"
        name="categorySlug"
        label="Categorie"
        placeholder="Scrie sau alege"
        options={categories.map(withPath)}
        emptyText="Nicio categorie găsită"
        autoFocus
      />
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
    </>
  )
}

/** The referring doctor; proposed from the referrals of the chosen institution. */
function DoctorField({ patient }: { patient: NewUploadPatient }) {
  const { values } = useForm<UploadInput>()
  useProposal<UploadInput>('referringDoctor', findDoctor(patient, values.institutionId ?? null))
  return <Field type="text" name="referringDoctor" label="Medic trimițător" maxLength={LIMITS.shortText} />
}

/** The institutions of the patient's referrals that have not ended, without suspended ones. */
function listInstitutions({ referrals }: NewUploadPatient) {
  const open = referrals.filter(({ institutionSuspended, endedOn }) => !institutionSuspended && !endedOn)
  const names = new Map(open.map(({ institutionId, institutionName }) => [institutionId, institutionName]))
  return [...names].map(([id, label]) => ({ id, label }))
}

/** The only doctor that the institution's referrals name; empty if they name none or several. */
const findDoctor = ({ referrals }: NewUploadPatient, institutionId: string | null): string =>
  onlyDoctor(
    referrals
      .filter((referral) => referral.institutionId === institutionId && !referral.endedOn)
      .map(({ doctor }) => doctor),
  ) ?? ''
