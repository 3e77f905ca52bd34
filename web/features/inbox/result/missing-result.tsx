import { useQuery } from '@apollo/client/react'
import { formatDate, formatDateTime } from '../../../../shared/romania/romanian.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { EmptyState, ErrorState } from '../../../ui/page/empty-state.tsx'
import { Acknowledgement, RECALL_ADVICE, RecallSentence } from '../recalls/recall-parts.tsx'
import { RECALLS_OF_UPLOAD } from '../recalls/recalls.queries.ts'

/**
 * Takes the place of a result that the user may not open, or not any more since `lostAt`. It says what happened to one
 * that the institution had opened; of one that went elsewhere only that it is not valid here.
 */
export function MissingResult({ id, lostAt }: { id: string; lostAt: Date | null }) {
  const { data, loading, error, refetch } = useQuery(RECALLS_OF_UPLOAD, {
    variables: { uploadId: id },
    fetchPolicy: 'cache-and-network',
  })
  const recall = data?.recalls[0]
  if (!recall && !lostAt) {
    if (loading) return null
    if (error)
      return (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      )
    return (
      <EmptyState icon="file-question" title="Rezultatul nu există sau nu aveți acces la el">
        Întoarceți-vă la lista rezultatelor.
      </EmptyState>
    )
  }
  return (
    <div className="mx-auto w-full max-w-xl p-4 sm:pt-10">
      <Alert
        tone="danger"
        isLive
        title={recall?.kind === 'replaced' ? 'Rezultatul a fost înlocuit' : 'Rezultatul a fost retras'}
        actions={recall && <Acknowledgement recall={recall} />}
      >
        {recall ? (
          <>
            <p className="font-medium">
              {recall.patientName} · {recall.title}
              {recall.examinedOn && ` · examinare din ${formatDate(recall.examinedOn)}`}
            </p>
            <p>
              <RecallSentence recall={recall} />
            </p>
          </>
        ) : (
          lostAt && `Retras la ${formatDateTime(lostAt.toISOString())}. ${RECALL_ADVICE}`
        )}
      </Alert>
    </div>
  )
}
