import { NetworkStatus } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { PatientScreen } from '../features/patients/patient-screen.tsx'
import { PatientFiles } from '../features/uploads/patient-files.tsx'
import { useUser } from '../session/use-session.ts'
import { PATIENT_PAGE } from './patient-page.queries.ts'

/** The patient's page, put together here: the patient knows nothing of uploads. */
export function PatientPage() {
  const { patientId } = useParams({ from: '/admin-layout/patients/$patientId' })
  const { features } = useUser()
  const withFiles = features.includes('patient::files')
  const { data, error, loading, networkStatus, refetch } = useQuery(PATIENT_PAGE, {
    variables: { id: patientId, withFiles },
    // What a later part lacks is no reason to take the rest away: the list asks again by itself.
    errorPolicy: 'all',
  })
  return (
    <PatientScreen
      patient={data?.patient}
      error={error}
      isLoading={loading}
      onRetry={() => void refetch().catch(() => undefined)}
    >
      {(patient) =>
        withFiles && <PatientFiles patient={patient} isArriving={networkStatus === NetworkStatus.streaming} />
      }
    </PatientScreen>
  )
}
