import { useId } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { onlyDoctor } from '../../../shared/referring-doctor.ts'
import { proposeTitle } from '../../../shared/uploads/title-proposal.ts'
import { Field } from '../../forms/core/field.ts'
import { Form, useForm } from '../../forms/core/form.tsx'
import { useProposal } from '../../forms/core/use-proposal.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useCategoryOptions, withParents } from '../categories/use-category-options.ts'
import type { UploadProposal } from './new-upload.queries.ts'
import { describeNewUpload, listInstitutions, type NewUploadPatient } from './new-upload-details.ts'
import type { UploadInput } from './upload-server.ts'

/** The option for no institution; an empty field is a missing choice. */
const NO_INSTITUTION = 'none'

export interface NewUploadFormProps {
  patient: NewUploadPatient
  fileNames: readonly string[]
  /** What an upload that is continued says; undefined: the upload is new. */
  stored: UploadInput | undefined
  /** What the files propose; null: they are not read yet. */
  proposal: UploadProposal | null
  onSubmit: (input: UploadInput) => Promise<unknown>
  onCancel: () => void
  isPending: boolean
}

/** Asks what the chosen files are; submitting it hands them in. */
export function NewUploadForm({
  patient,
  fileNames,
  stored,
  proposal,
  onSubmit,
  onCancel,
  isPending,
}: NewUploadFormProps) {
  const institutions = listInstitutions(patient)
  const hasInstitutions = institutions.length > 0
  const start = stored ?? { ...describeNewUpload(patient, fileNames), title: '' }
  return (
    <Form
      id={useId()}
      start={start}
      failureTitle="Încărcarea nu a fost trimisă la verificare"
      onSubmit={({ institutionId, ...input }) =>
        onSubmit({ ...input, institutionId: institutionId === NO_INSTITUTION ? null : institutionId })
      }
      className="sm:grid-cols-2"
    >
      <TitleFields patient={patient} fileNames={fileNames} proposal={proposal} />
      {hasInstitutions ? (
        <InstitutionField
          institutions={institutions}
          initial={start.institutionId ?? ''}
          proposed={proposal?.institution?.id}
        />
      ) : (
        <Alert tone="warning" className="col-span-full">
          {patient.referrals.length === 0
            ? 'Pacientul nu are nicio trimitere'
            : 'Pacientul are doar trimiteri încheiate sau de la instituții suspendate'}
          , deci încărcarea nu va ajunge la nicio instituție. Adaugă întâi trimiterea.
        </Alert>
      )}
      <DoctorField
        patient={patient}
        proposed={proposal?.doctor}
        className={hasInstitutions ? undefined : 'col-span-full'}
      />
      <ExaminationFields proposal={proposal} />
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

const FROM_FILES = 'Propus din fișiere'

/**
 * Writes into an untouched field what the files propose, or otherwise `fallback`. Returns the help of the field, which says
 * where its value comes from.
 */
function useFileProposal(
  name: keyof UploadInput,
  proposed: string | null | undefined,
  { fallback = '', initial = '' } = {},
): string | undefined {
  useProposal<UploadInput>(name, proposed || fallback, initial)
  const isProposed = useForm<UploadInput>().values[name] === proposed
  return proposed && isProposed ? FROM_FILES : undefined
}

type Proposed = Pick<NewUploadFormProps, 'patient' | 'fileNames' | 'proposal'>

/** Category and title; the title is proposed until the user writes one. */
function TitleFields({ patient, fileNames, proposal }: Proposed) {
  const { values } = useForm<UploadInput>()
  const categories = useCategoryOptions()
  const category = categories.find(({ id }) => id === values.categorySlug)
  // The names of the files say more than the category that they propose.
  const categoryName = category && category.id !== proposal?.category?.slug ? category.label : null
  const title =
    proposeTitle({ fileNames, patientName: patient.name, categoryName }) ??
    category?.label ??
    proposal?.title ??
    ''
  useProposal<UploadInput>('title', title)
  return (
    <>
      <Field
        type="autocomplete"
        name="categorySlug"
        label="Categorie"
        placeholder="Scrie sau alege"
        options={categories.map(withParents)}
        emptyText="Nicio categorie găsită"
        help={useFileProposal('categorySlug', proposal?.category?.slug)}
        autoFocus
      />
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
    </>
  )
}

/** The institution that receives the result; proposed only among those that referred the patient. */
function InstitutionField({
  institutions,
  initial,
  proposed,
}: {
  institutions: readonly { id: string; label: string }[]
  initial: string
  proposed: string | undefined
}) {
  const known = institutions.some(({ id }) => id === proposed) ? proposed : null
  const help = useFileProposal('institutionId', known, { fallback: initial, initial })
  return (
    <Field
      type="dropdown"
      name="institutionId"
      label="Destinatarul"
      options={[...institutions, { id: NO_INSTITUTION, label: 'Fără instituție' }]}
      validation="required"
      help={known === initial ? undefined : help}
    />
  )
}

/** The referring doctor; proposed from the files, or from the referrals of the chosen institution. */
function DoctorField({
  patient,
  proposed,
  className,
}: {
  patient: NewUploadPatient
  proposed: string | null | undefined
  className: string | undefined
}) {
  const { values } = useForm<UploadInput>()
  const fallback = findDoctor(patient, values.institutionId ?? null)
  return (
    <Field
      type="text"
      name="referringDoctor"
      label="Medic trimițător"
      maxLength={LIMITS.shortText}
      help={useFileProposal('referringDoctor', proposed, { fallback })}
      className={className}
    />
  )
}

/** The day and the number of the examination. */
function ExaminationFields({ proposal }: Pick<NewUploadFormProps, 'proposal'>) {
  return (
    <>
      <Field
        type="datepicker"
        name="examinedOn"
        label="Data examinării"
        help={useFileProposal('examinedOn', proposal?.examinedOn)}
      />
      <Field
        type="text"
        name="accessionNumber"
        label="Nr. examinare"
        maxLength={60}
        help={useFileProposal('accessionNumber', proposal?.accessionNumber)}
      />
    </>
  )
}

/** The only doctor that the institution's referrals name; empty if they name none or several. */
const findDoctor = ({ referrals }: NewUploadPatient, institutionId: string | null): string =>
  onlyDoctor(
    referrals
      .filter((referral) => referral.institutionId === institutionId && !referral.endedOn)
      .map(({ doctor }) => doctor),
  ) ?? ''
