import { useMutation } from '@apollo/client/react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { PatientSheet } from '../patients/patient-sheet.tsx'
import { EMPTY_PATIENT } from '../patients/patient-values.ts'
import { CREATE_PATIENT } from '../patients/patients.queries.ts'
import type { GroupPatient } from './group-facts.ts'

/** Adds the patient of a group who is not registered yet. */
export function NewPatientSheet({
  onCreated,
  onClose,
}: {
  onCreated: (patient: GroupPatient) => void
  onClose: () => void
}) {
  const [createPatient] = useMutation(CREATE_PATIENT, {
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  return (
    <PatientSheet
      title="Pacient nou"
      saveLabel="Adaugă și alege"
      patientId={null}
      stored={EMPTY_PATIENT}
      onClose={onClose}
      onSave={async (patient, release, distinctFrom) => {
        const { data } = await createPatient({ variables: { patient, distinctFrom } })
        if (!data) return
        const { id, name, number } = data.createPatient
        release()
        const born = patient.birthDate ? `${formatDate(patient.birthDate)} · ` : ''
        onCreated({ id, name, description: `${born}nr. ${number}` })
      }}
    />
  )
}
