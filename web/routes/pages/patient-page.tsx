import { useQuery } from '@apollo/client/react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { errorCode } from '../../api/client-error.ts'
import { FROM_CACHE } from '../../api/from-cache.ts'
import { LedgerCard } from '../../features/deliveries/delivery-ledger.tsx'
import { PatientNews } from '../../features/news/patient-news.tsx'
import { PatientFiles } from '../../features/patient-uploads/patient-files.tsx'
import { PatientScreen } from '../../features/patients/patient-screen.tsx'
import { PATIENT } from '../../features/patients/patients.queries.ts'
import { PatientShares } from '../../features/shares/patient-shares.tsx'
import { useFeature } from '../../session/use-session.ts'
import { PATIENT_PAGE } from './patient-page.queries.ts'

/** The patient's page; composed here because the feature `patients` does not import the uploads. */
export function PatientPage() {
  const { patientId } = useParams({ from: '/admin-layout/patients/$patientId' })
  const { share } = useSearch({ from: '/admin-layout/patients/$patientId' })
  const navigate = useNavigate({ from: '/patients/$patientId' })
  const withFiles = useFeature('patient::files')
  const withNews = useFeature('patient::news')
  const canShare = useFeature('patient::share')
  const { data, dataState, error, loading, refetch } = useQuery(PATIENT_PAGE, {
    variables: { id: patientId, withFiles, withNews },
    // An error in the incremental result must not remove the rest: the list repeats its own request.
    errorPolicy: 'all',
  })
  // If the connection breaks between the incremental results, `data` is lost, but the cache has kept the
  // patient.
  const cached = useQuery(PATIENT, {
    variables: { id: patientId },
    ...FROM_CACHE,
  })
  // A patient who was merged into another: the address of the other.
  const shownId = data?.patient.id
  useEffect(() => {
    if (shownId !== undefined && shownId !== patientId)
      void navigate({
        to: '/patients/$patientId',
        params: { patientId: shownId },
        search: true,
        replace: true,
      })
  }, [shownId, patientId, navigate])
  const isGone = errorCode(error) === 'NOT_FOUND'
  return (
    <PatientScreen
      id={patientId}
      patient={data?.patient ?? (isGone ? undefined : cached.data?.patient)}
      error={error}
      isLoading={loading}
      onRetry={() => void refetch().catch(() => undefined)}
    >
      {(patient) => {
        const isArriving = loading && dataState !== 'complete'
        return (
          (withFiles || withNews) && (
            <>
              {withNews && (
                <PatientNews
                  patient={patient}
                  isArriving={isArriving && !data?.patientNews}
                  onReload={() => refetch().catch(() => undefined)}
                />
              )}
              {withFiles && <PatientFiles patient={patient} isArriving={isArriving} />}
              {withFiles && canShare && (
                <PatientShares
                  patient={patient}
                  openId={share ?? null}
                  onClose={() => void navigate({ to: '.', search: {}, replace: true, resetScroll: false })}
                />
              )}
              {withFiles && <LedgerCard key={patient.id} patientId={patient.id} />}
            </>
          )
        )
      }}
    </PatientScreen>
  )
}
