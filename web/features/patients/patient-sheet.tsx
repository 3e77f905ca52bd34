import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormSheet, type FormSheetProps } from '../../forms/saved-form/form-sheet.tsx'
import { useMarkDistinct } from './duplicates/use-mark-distinct.ts'
import { PatientFields } from './patient-fields.tsx'
import type { PatientValues } from './patient-values.ts'
import type { KnownPatient } from './patients.queries.ts'

type PatientSheetProps = Omit<
  FormSheetProps<PatientValues>,
  'children' | 'isBlocked' | 'className' | 'onSave'
> & {
  /** null for a new patient. */
  patientId: string | null
  /** What was found in files: its fields say so. */
  found?: PatientValues
  /** Takes a patient who exists already, in place of a new one; without it the page of this patient opens. */
  onChooseKnown?: (patient: KnownPatient) => void
  /** As of `FormSheet`; `distinctFrom` are patients whom the user has declared other people than a new one. */
  onSave: (values: PatientValues, release: () => void, distinctFrom: string[]) => Promise<unknown>
}

/** The form of a patient in a side sheet. It cannot be saved with the CNP of another patient. */
export function PatientSheet({ patientId, found, onChooseKnown, onSave, ...sheet }: PatientSheetProps) {
  const navigate = useNavigate()
  const [existing, setExisting] = useState<KnownPatient | null>(null)
  const [distinctIds, setDistinctIds] = useState<string[]>([])
  const markDistinct = useMarkDistinct()
  // A new patient has no id yet: the pair is stored with the patient.
  const rememberDistinct = async (otherId: string) => {
    setDistinctIds((ids) => [...ids, otherId])
    if (patientId !== null && !(await markDistinct(patientId, otherId)))
      setDistinctIds((ids) => ids.filter((id) => id !== otherId))
  }
  return (
    <FormSheet
      {...sheet}
      onSave={(values, release) => onSave(values, release, distinctIds)}
      isBlocked={existing !== null}
      className="sm:grid-cols-2"
    >
      {(release) => (
        <PatientFields
          patientId={patientId}
          found={found}
          onKnown={setExisting}
          knownLabel={onChooseKnown ? 'Alege pacientul' : 'Deschide pacientul'}
          onOpenKnown={(known) => {
            release()
            if (onChooseKnown) onChooseKnown(known)
            else void navigate({ to: '/patients/$patientId', params: { patientId: known.id } })
          }}
          distinctIds={distinctIds}
          onDistinct={(otherId) => void rememberDistinct(otherId)}
        />
      )}
    </FormSheet>
  )
}
