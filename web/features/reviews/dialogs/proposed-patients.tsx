import { useQuery } from '@apollo/client/react'
import type { ResultOf } from '../../../api/graphql.ts'
import { Button } from '../../../ui/base/button.tsx'
import { patientOption } from '../../patients/use-find-patients.ts'
import { PROPOSED_PATIENTS } from '../upload.queries.ts'

export type ProposedPatient = NonNullable<
  ResultOf<typeof PROPOSED_PATIENTS>['upload']['proposal']
>['patients'][number]

/** Returns the patients whom the files of an upload without a patient name; none of another upload. */
export function useProposedPatients(upload: { id: string; patient: object | null }): ProposedPatient[] {
  const { data } = useQuery(PROPOSED_PATIENTS, {
    variables: { id: upload.id },
    skip: upload.patient !== null,
    fetchPolicy: 'cache-and-network',
  })
  return (upload.patient === null && data?.upload.proposal?.patients) || []
}

/** The patients whom the files name, each to be chosen with one press. */
export const ProposedPatients = ({
  patients,
  onChoose,
}: {
  patients: readonly ProposedPatient[]
  onChoose: (id: string) => void
}) => (
  <div className="grid gap-2">
    <p className="text-sm font-medium">Propuși din fișiere</p>
    <ul aria-label="Pacienți propuși din fișiere" className="grid gap-3">
      {patients.map((patient) => (
        <li key={patient.id} className="grid justify-items-start gap-1">
          <Button icon="user-check" onPress={() => onChoose(patient.id)}>
            {patient.name}
          </Button>
          <span className="text-sm text-muted">
            {patientOption(patient).description} · {patient.reasonText}
          </span>
        </li>
      ))}
    </ul>
  </div>
)
