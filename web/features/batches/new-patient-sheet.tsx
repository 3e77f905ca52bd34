import { useMutation } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { PatientSheet } from '../patients/patient-sheet.tsx'
import { EMPTY_PATIENT, type PatientValues, withCnp } from '../patients/patient-values.ts'
import { CREATE_PATIENT } from '../patients/patients.queries.ts'
import { type FoundPerson, REVEAL_FOUND_PERSON } from './batches.queries.ts'
import type { GroupPatient } from './group-facts.ts'

/** Adds the patient of a group who is not registered yet, or takes one who is; the form begins with the person whom the files name. */
export function NewPatientSheet({
  uploadId,
  onChosen,
  onClose,
}: {
  uploadId: string
  onChosen: (patient: GroupPatient) => void
  onClose: () => void
}) {
  const found = useFoundPerson(uploadId)
  const [createPatient] = useMutation(CREATE_PATIENT, {
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  if (!found) return null
  return (
    <PatientSheet
      title="Pacient nou"
      saveLabel="Adaugă și alege"
      patientId={null}
      stored={found}
      found={found}
      onClose={onClose}
      onChooseKnown={({ id, name, number, birthDate }) =>
        onChosen({ id, name, description: describeShort({ number, birthDate }) })
      }
      onSave={async (patient, release, distinctFrom) => {
        const { data } = await createPatient({ variables: { patient, distinctFrom } })
        if (!data) return
        const { id, name, number } = data.createPatient
        release()
        onChosen({ id, name, description: describeShort({ number, birthDate: patient.birthDate }) })
      }}
    />
  )
}

const describeShort = ({ number, birthDate }: { number: number; birthDate: string | null }): string =>
  `${birthDate ? `${formatDate(birthDate)} · ` : ''}nr. ${number}`

/** Returns the values of the form that the files give; null until they are loaded. Without them the form is empty. */
function useFoundPerson(uploadId: string): PatientValues | null {
  const [reveal] = useMutation(REVEAL_FOUND_PERSON, { fetchPolicy: 'no-cache' })
  const [found, setFound] = useState<PatientValues | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call is recorded, so there is one for each form
  useEffect(() => {
    reveal({ variables: { uploadId } }).then(
      ({ data }) => setFound(valuesOf(data?.revealFoundPerson ?? null)),
      () => setFound(EMPTY_PATIENT),
    )
  }, [uploadId])
  return found
}

function valuesOf(person: FoundPerson | null): PatientValues {
  if (!person) return EMPTY_PATIENT
  const { cnp, surname, givenNames, birthDate } = person
  return withCnp(
    { ...EMPTY_PATIENT, surname: surname ?? '', givenNames: givenNames ?? '', birthDate },
    cnp ?? '',
  )
}
