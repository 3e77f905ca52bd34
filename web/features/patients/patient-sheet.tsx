import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormSheet, type FormSheetProps } from '../../forms/saved-form/form-sheet.tsx'
import { PatientFields } from './patient-fields.tsx'
import type { PatientValues } from './patient-values.ts'
import type { KnownPatient } from './patients.queries.ts'

type PatientSheetProps = Omit<FormSheetProps<PatientValues>, 'children' | 'isBlocked' | 'className'> & {
  /** null: somebody new. */
  patientId: string | null
}

/** The form of a patient at the side of the page. Nobody is saved with the CNP of somebody else. */
export function PatientSheet({ patientId, ...sheet }: PatientSheetProps) {
  const navigate = useNavigate()
  const [known, setKnown] = useState<KnownPatient | null>(null)
  return (
    <FormSheet {...sheet} isBlocked={known !== null} className="sm:grid-cols-2">
      {(release) => (
        <PatientFields
          patientId={patientId}
          onKnown={setKnown}
          onOpenKnown={({ id }) => {
            release()
            void navigate({ to: '/patients/$patientId', params: { patientId: id } })
          }}
        />
      )}
    </FormSheet>
  )
}
