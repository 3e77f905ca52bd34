import { useId } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { onlyDoctor } from '../../../shared/referring-doctor.ts'
import { Field } from '../../forms/core/field.ts'
import { Form, useForm } from '../../forms/core/form.tsx'
import { useProposal } from '../../forms/core/use-proposal.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useCategoryOptions, withPath } from '../categories/use-category-options.ts'
import { describeNewUpload, listInstitutions, type NewUploadPatient } from './new-upload-details.ts'
import { proposeTitle } from './title-proposal.ts'
import type { UploadInput } from './upload-server.ts'

/** The option for no institution; an empty field is a missing choice. */
const NO_INSTITUTION = 'none'

export interface NewUploadFormProps {
  patient: NewUploadPatient
  fileNames: readonly string[]
  /** What an upload that is continued says; undefined: the upload is new. */
  stored: UploadInput | undefined
  onSubmit: (input: UploadInput) => Promise<unknown>
  onCancel: () => void
  isPending: boolean
}

/** Asks what the chosen files are; submitting it hands them in. */
export function NewUploadForm({
  patient,
  fileNames,
  stored,
  onSubmit,
  onCancel,
  isPending,
}: NewUploadFormProps) {
  const institutions = listInstitutions(patient)
  const hasInstitutions = institutions.length > 0
  return (
    <Form
      id={useId()}
      start={stored ?? { ...describeNewUpload(patient, fileNames), title: '' }}
      failureTitle="Încărcarea nu a fost trimisă la verificare"
      onSubmit={({ institutionId, ...input }) =>
        onSubmit({ ...input, institutionId: institutionId === NO_INSTITUTION ? null : institutionId })
      }
      className="sm:grid-cols-2"
    >
      <TitleFields patient={patient} fileNames={fileNames} />
      {hasInstitutions ? (
        <Field
          type="dropdown"
          name="institutionId"
          label="Destinatarul"
          options={[...institutions, { id: NO_INSTITUTION, label: 'Fără instituție' }]}
          validation="required"
        />
      ) : (
        <Alert tone="warning" className="col-span-full">
          {patient.referrals.length === 0
            ? 'Pacientul nu are nicio trimitere'
            : 'Pacientul are doar trimiteri încheiate sau de la instituții suspendate'}
          , deci încărcarea nu va ajunge la nicio instituție. Adaugă întâi trimiterea.
        </Alert>
      )}
      <DoctorField patient={patient} className={hasInstitutions ? undefined : 'col-span-full'} />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field type="text" name="accessionNumber" label="Nr. examinare" maxLength={60} />
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
        <Button variant="primary" icon="upload" type="submit" isPending={isPending}>
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
function DoctorField({ patient, className }: { patient: NewUploadPatient; className: string | undefined }) {
  const { values } = useForm<UploadInput>()
  useProposal<UploadInput>('referringDoctor', findDoctor(patient, values.institutionId ?? null))
  return (
    <Field
      type="text"
      name="referringDoctor"
      label="Medic trimițător"
      maxLength={LIMITS.shortText}
      className={className}
    />
  )
}

/** The only doctor that the institution's referrals name; empty if they name none or several. */
const findDoctor = ({ referrals }: NewUploadPatient, institutionId: string | null): string =>
  onlyDoctor(
    referrals
      .filter((referral) => referral.institutionId === institutionId && !referral.endedOn)
      .map(({ doctor }) => doctor),
  ) ?? ''
