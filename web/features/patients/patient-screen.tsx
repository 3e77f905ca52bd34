import { useApolloClient } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { LinkButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { PatientDuplicatesNotice } from './duplicates/patient-duplicates.tsx'
import { EditPatient } from './edit-patient.tsx'
import { MergeButton } from './merge/merge-button.tsx'
import { PatientMergesNotice } from './merge/patient-merges.tsx'
import { PatientDetailsCard } from './patient-details.tsx'
import { PatientHeader, PatientHeading } from './patient-header.tsx'
import { PatientReferrals } from './patient-referrals.tsx'
import { KNOWN_PATIENT, PATIENT, type Patient } from './patients.queries.ts'
import { useSlashKey } from './use-slash-key.ts'

export interface PatientScreenProps {
  id: string
  /** Undefined while loading, and after an error. */
  patient: Patient | undefined
  error: unknown
  isLoading: boolean
  onRetry: () => void
  /** The content beside the patient's details: the patient's results. */
  children: (patient: Patient) => ReactNode
}

/** Shows one patient: details, referrals, and the results that the page passes as children. */
export function PatientScreen({ id, patient, error, isLoading, onRetry, children }: PatientScreenProps) {
  const client = useApolloClient()
  const navigate = useNavigate()
  // The key for the search of the next patient.
  useSlashKey(() => void navigate({ to: '/patients' }))
  // The form loads the patient from the server, not from the cache.
  const reload = async ({ id }: Patient) => {
    const reloaded = await client.query({ query: PATIENT, variables: { id }, fetchPolicy: 'network-only' })
    if (!reloaded.data) throw reloaded.error
    return reloaded.data.patient
  }

  if (!patient) {
    if (!error) return <LoadingPatient id={id} />
    return errorCode(error) === 'NOT_FOUND' ? (
      <>
        <h1 className="sr-only">Pacientul nu există</h1>
        <EmptyState
          icon="user-x"
          title="Pacientul nu există sau nu ai acces la el"
          action={<LinkButton to="/patients">Înapoi la pacienți</LinkButton>}
        >
          Poate că adresa este greșită ori pacientul a fost șters.
        </EmptyState>
      </>
    ) : (
      <ErrorState onRetry={onRetry} isRetrying={isLoading}>
        {errorMessage(error)}
      </ErrorState>
    )
  }
  const content = children(patient)
  return (
    <>
      <PatientHeader
        key={`head ${patient.id}`}
        patient={patient}
        edit={patient.can.edit && <EditPatient patient={patient} onReload={() => reload(patient)} />}
        actions={patient.can.edit && <MergeButton patientId={patient.id} />}
      />
      <PatientMergesNotice key={`merges ${patient.id}`} merges={patient.merges} />
      <PatientDuplicatesNotice key={`duplicates ${patient.id}`} patient={patient} />
      <div
        key={patient.id}
        className={classNames(
          'grid items-start gap-6',
          Boolean(content) && 'lg:grid-cols-[minmax(0,1fr)_20rem]',
        )}
      >
        {content && <div className="grid min-w-0 gap-6">{content}</div>}
        <div className="grid min-w-0 gap-6">
          <PatientReferrals patient={patient} />
          <PatientDetailsCard patient={patient} />
        </div>
      </div>
    </>
  )
}

/** Shows at once what a list has shown of the patient who was opened from it; for the rest, where it will be. */
function LoadingPatient({ id }: { id: string }) {
  const { cache } = useApolloClient()
  const known = cache.readFragment({
    id: cache.identify({ __typename: 'Patient', id }) ?? '',
    fragment: KNOWN_PATIENT,
  })
  return (
    <>
      {known ? (
        <PatientHeading patient={known} isLoading />
      ) : (
        <div className="mb-6 grid gap-3">
          <Skeleton className="h-8 w-72 max-w-full" />
          <Skeleton className="h-4 w-96 max-w-full" />
        </div>
      )}
      <div role="status" aria-label="Se încarcă" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-16 rounded-lg" />
        <Card>
          <Skeleton className="h-40" />
        </Card>
      </div>
    </>
  )
}
