import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { errorCode } from '../api/client-error.ts'
import { PatientFiles } from '../features/patient-uploads/patient-files.tsx'
import { PatientScreen } from '../features/patients/patient-screen.tsx'
import { PATIENT } from '../features/patients/patients.queries.ts'
import { useUser } from '../session/use-session.ts'
import { PATIENT_PAGE } from './patient-page.queries.ts'

/** The patient's page, put together here: the patient knows nothing of uploads. */
export function PatientPage() {
  const { patientId } = useParams({ from: '/admin-layout/patients/$patientId' })
  const { features } = useUser()
  const withFiles = features.includes('patient::files')
  const { data, dataState, error, loading, refetch } = useQuery(PATIENT_PAGE, {
    variables: { id: patientId, withFiles },
    // What a later part lacks is no reason to take the rest away: the list asks again by itself.
    errorPolicy: 'all',
  })
  // A line that breaks between the parts takes the first one along; the cache has kept it.
  const kept = useQuery(PATIENT, {
    variables: { id: patientId },
    fetchPolicy: 'cache-only',
    nextFetchPolicy: 'cache-only',
  })
  const isGone = errorCode(error) === 'NOT_FOUND'
  return (
    <PatientScreen
      patient={data?.patient ?? (isGone ? undefined : kept.data?.patient)}
      error={error}
      isLoading={loading}
      onRetry={() => void refetch().catch(() => undefined)}
    >
      {(patient) =>
        withFiles && <PatientFiles patient={patient} isArriving={loading && dataState !== 'complete'} />
      }
    </PatientScreen>
  )
}
