import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { type PatientValues, valuesOfPatient } from './patient-values.ts'
import { type Patient, REVEAL_CNP, UPDATE_PATIENT } from './patients.queries.ts'

const PatientSheet = lazyOnIdle(() => import('./patient-sheet.tsx'), 'PatientSheet')

interface EditPatientProps {
  patient: Patient
  /** Reloads the patient. */
  onReload: () => Promise<Patient>
}

/** The button that opens the form of a patient's identity and contact details. */
export function EditPatient({ patient, onReload }: EditPatientProps) {
  const [revealCnp, { loading }] = useMutation(REVEAL_CNP, { fetchPolicy: 'no-cache' })
  const [editing, setEditing] = useState<Editing | null>(null)

  // The form needs the whole CNP: saving without it would remove the CNP.
  const readCnp = async (of: Patient) => {
    if (!of.cnpMasked) return null
    const { data } = await revealCnp({ variables: { patientId: of.id } })
    return data?.revealCnp ?? null
  }
  const edit = async () => {
    try {
      setEditing({ version: patient.version, stored: valuesOfPatient(patient, await readCnp(patient)) })
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu am putut deschide formularul', description: errorMessage(error) })
    }
  }
  const reload = async () => {
    const reloaded = await onReload()
    const stored = valuesOfPatient(reloaded, await readCnp(reloaded))
    // If the form was closed meanwhile, it stays closed.
    setEditing((current) => current && { version: reloaded.version, stored })
    return stored
  }

  return (
    <>
      <Button variant="quiet" icon="pencil" isPending={loading} onPress={() => void edit()}>
        Editează
      </Button>
      {editing && (
        <EditPatientSheet
          patient={patient}
          editing={editing}
          onReload={reload}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

/** The stored values from which the form was filled, updated when it takes over a save of another user. */
type Editing = { version: number; stored: PatientValues }

function EditPatientSheet({
  patient,
  editing,
  onReload,
  onClose,
}: {
  patient: Patient
  editing: Editing
  onReload: () => Promise<PatientValues>
  onClose: () => void
}) {
  const [updatePatient] = useMutation(UPDATE_PATIENT)
  return (
    <PatientSheet
      title={patient.name}
      saveLabel="Salvează"
      patientId={patient.id}
      stored={editing.stored}
      onClose={onClose}
      onReload={onReload}
      onSave={async (values) => {
        await updatePatient({ variables: { id: patient.id, version: editing.version, patient: values } })
        showToast({ tone: 'success', title: 'Datele pacientului au fost salvate' })
        onClose()
      }}
    />
  )
}
