import { useMutation } from '@apollo/client/react'
import { birthDateBounds, findBirthDateError } from '../../../shared/birth-dates.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { CHANNEL_NAMES } from '../../../shared/patients.ts'
import { SEX_NAMES } from '../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { AddressFields } from '../../forms/inputs/address/address-fields.tsx'
import { detailsFromCnp } from '../../forms/inputs/cnp/cnp-details.ts'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { DuplicateAlert } from './duplicates/duplicate-alert.tsx'
import { useTypedDuplicates } from './duplicates/use-typed-duplicates.ts'
import { NameField } from './name-field.tsx'
import type { PatientValues } from './patient-values.ts'
import { FIND_PATIENT_BY_CNP, type KnownPatient } from './patients.queries.ts'

/**
 * Returns the props of a field that is locked while the CNP contains its value. FormKit keeps a prop that a field no longer
 * has, so that all of them are always passed.
 */
const lockedBy = (fromCnp: string | null, otherwise?: string) => ({
  disabled: fromCnp !== null,
  help: fromCnp === null ? otherwise : 'Din CNP',
})

const FOUND_FIELDS = ['cnp', 'surname', 'givenNames', 'birthDate'] as const
type FoundField = (typeof FOUND_FIELDS)[number]

export interface PatientFieldsProps {
  /** null for a new patient. */
  patientId: string | null
  /** What was found in files. */
  found?: PatientValues | undefined
  /** Called with the other patient who has the entered CNP; null if there is none. */
  onKnown: (patient: KnownPatient | null) => void
  onOpenKnown: (patient: KnownPatient) => void
  /** What the button of `onOpenKnown` says. */
  knownLabel: string
  /** Patients whom the user has declared other people than this one. */
  distinctIds: readonly string[]
  onDistinct: (otherId: string) => void
}

/** The form fields of a patient: the CNP first, since it fills in other fields. */
export function PatientFields({
  patientId,
  found,
  onKnown,
  onOpenKnown,
  knownLabel,
  distinctIds,
  onDistinct,
}: PatientFieldsProps) {
  const { values } = useForm<PatientValues>()
  /** Says that a value is from the files, until it is changed. */
  const fromFile = (name: FoundField) =>
    found?.[name] && values[name] === found[name] ? 'Din fișier' : undefined
  const today = todayInRomania()
  const duplicates = useTypedDuplicates(values, patientId).filter(
    ({ patient }) => !distinctIds.includes(patient.id),
  )
  const fromCnp = detailsFromCnp(values.cnp ?? '')
  const [findPatient] = useMutation(FIND_PATIENT_BY_CNP, { fetchPolicy: 'no-cache' })
  const lookUp = async (cnp: string): Promise<KnownPatient | null> => {
    const { data } = await findPatient({ variables: { cnp } })
    const found = data?.findPatientByCnp ?? null
    return found?.id === patientId ? null : found
  }
  return (
    <>
      {found && FOUND_FIELDS.some((name) => found[name]) && (
        <Alert tone="info" title="Completat din fișiere" className="col-span-full">
          Compară fiecare câmp marcat „Din fișier” cu documentul înainte de a adăuga pacientul.
        </Alert>
      )}
      <Field
        type="cnp"
        name="cnp"
        label="CNP"
        help={
          fromFile('cnp') ?? 'Completează singur data nașterii și sexul. Lasă gol dacă pacientul nu are CNP.'
        }
        birthDate="birthDate"
        sex="sex"
        lookUp={lookUp}
        onKnown={onKnown}
        renderMatch={(patient: KnownPatient) => (
          <KnownAlert patient={patient} label={knownLabel} onOpen={onOpenKnown} />
        )}
        className="col-span-full"
        autoFocus
      />
      <NameField
        name="surname"
        label="Nume"
        help={fromFile('surname')}
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
      <NameField
        name="givenNames"
        label="Prenume"
        help={fromFile('givenNames')}
        validation="required:trim"
        maxLength={LIMITS.shortText}
      />
      <Field
        type="datepicker"
        name="birthDate"
        label="Data nașterii"
        {...(fromCnp.birthDate === null ? birthDateBounds(today) : { min: undefined, max: undefined })}
        explainDisabled={(day) => findBirthDateError(day, today)}
        {...lockedBy(fromCnp.birthDate, fromFile('birthDate'))}
      />
      <Field
        type="dropdown"
        name="sex"
        label="Sex"
        options={nameOptions(SEX_NAMES)}
        {...lockedBy(fromCnp.sex)}
      />
      <Field type="phone" name="phone" label="Telefon" />
      <Field type="email" name="email" label="E-mail" inputMode="email" validation="email" maxLength={254} />
      <div role="status" className="col-span-full grid gap-3 empty:hidden">
        {duplicates.map((duplicate) => (
          <DuplicateAlert
            key={duplicate.patient.id}
            duplicate={duplicate}
            title={`Poate există deja: ${duplicate.patient.name}`}
            onDistinct={() => onDistinct(duplicate.patient.id)}
            actions={
              <Button icon="user-check" onPress={() => onOpenKnown(duplicate.patient)}>
                {knownLabel}
              </Button>
            }
          />
        ))}
      </div>
      <AddressFields />
      <NameField name="previousSurname" label="Nume anterior" maxLength={LIMITS.shortText} />
      <Field
        type="dropdown"
        name="preferredChannel"
        label="Cum preferă să fie anunțat"
        placeholder="Fără preferință"
        options={nameOptions(CHANNEL_NAMES)}
      />
      <Field
        type="textarea"
        name="notes"
        label="Note"
        rows={3}
        maxLength={LIMITS.longText}
        className="col-span-full"
      />
    </>
  )
}

function KnownAlert({
  patient,
  label,
  onOpen,
}: {
  patient: KnownPatient
  label: string
  onOpen: (patient: KnownPatient) => void
}) {
  return (
    <Alert
      tone="warning"
      isLive
      title="Pacientul există deja"
      actions={
        <Button icon="user-check" onPress={() => onOpen(patient)}>
          {label}
        </Button>
      }
    >
      {patient.name}, nr. {patient.number}
      {patient.birthDate && `, n. ${formatDate(patient.birthDate)}`}
    </Alert>
  )
}
