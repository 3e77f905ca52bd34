import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormSheet, type FormSheetProps } from '../../forms/saved-form/form-sheet.tsx'
import { PatientFields } from './patient-fields.tsx'
import type { PatientValues } from './patient-values.ts'
import type { KnownPatient } from './patients.queries.ts'

type PatientSheetProps = Omit<FormSheetProps<PatientValues>, 'children' | 'isBlocked' | 'className'> & {
  /** null for a new patient. */
  patientId: string | null
}

/** The form of a patient in a side sheet. It cannot be saved with the CNP of another patient. */
export function PatientSheet({ patientId, ...sheet }: PatientSheetProps) {
  const navigate = useNavigate()
  const [existing, setExisting] = useState<KnownPatient | null>(null)
  return (
    <FormSheet {...sheet} isBlocked={existing !== null} className="sm:grid-cols-2">
      {(release) => (
        <PatientFields
          patientId={patientId}
          onKnown={setExisting}
          onOpenKnown={({ id }) => {
            release()
            void navigate({ to: '/patients/$patientId', params: { patientId: id } })
          }}
        />
      )}
    </FormSheet>
  )
}
