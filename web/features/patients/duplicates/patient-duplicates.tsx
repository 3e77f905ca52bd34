import { useState } from 'react'
import { useFeature } from '../../../session/use-session.ts'
import { Button, LinkButton } from '../../../ui/base/button.tsx'
import { lazyOnIdle } from '../../../ui/base/lazy-on-idle.ts'
import type { Patient } from '../patients.queries.ts'
import { DuplicateAlert } from './duplicate-alert.tsx'
import type { PossibleDuplicate } from './duplicates.queries.ts'
import { useMarkDistinct } from './use-mark-distinct.ts'

const MergeDialog = lazyOnIdle(() => import('../merge/merge-dialog.tsx'), 'MergeDialog')

/** Lists the patients who may be the same person, until a user has said of each that they are not. */
export function PatientDuplicatesNotice({ patient }: { patient: Patient }) {
  if (patient.possibleDuplicates.length === 0) return null
  return (
    <div className="mb-6 grid gap-3">
      {patient.possibleDuplicates.map((duplicate) => (
        <DuplicateNotice key={duplicate.patient.id} patient={patient} duplicate={duplicate} />
      ))}
    </div>
  )
}

function DuplicateNotice({ patient, duplicate }: { patient: Patient; duplicate: PossibleDuplicate }) {
  const markDistinct = useMarkDistinct()
  const mayMerge = useFeature('patient::files')
  const [isPending, setPending] = useState(false)
  const [isMerging, setMerging] = useState(false)
  const other = duplicate.patient
  const remember = async () => {
    setPending(true)
    await markDistinct(patient.id, other.id)
    setPending(false)
  }
  return (
    <DuplicateAlert
      duplicate={duplicate}
      title={`Poate fi aceeași persoană cu ${other.name}`}
      isPending={isPending}
      onDistinct={() => void remember()}
      actions={
        <>
          <LinkButton to="/patients/$patientId" params={{ patientId: other.id }}>
            Deschide pacientul
          </LinkButton>
          {mayMerge && <Button onPress={() => setMerging(true)}>Compară și unește</Button>}
          {isMerging && (
            <MergeDialog patientId={patient.id} otherId={other.id} onClose={() => setMerging(false)} />
          )}
        </>
      }
    />
  )
}
