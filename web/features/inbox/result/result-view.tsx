import { useQuery } from '@apollo/client/react'
import { type RefObject, useEffect, useState } from 'react'
import { client } from '../../../api/client.ts'
import { errorCode, errorMessage } from '../../../api/client-error.ts'
import { useIsOffline } from '../../../session/use-is-offline.ts'
import { Skeleton } from '../../../ui/base/loading.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ErrorState } from '../../../ui/page/empty-state.tsx'
import { ShownNews } from '../../news/shown-news.tsx'
import type { PreviewControls } from '../../preview/preview-controls.ts'
import { useLiveUploads } from '../../uploads/use-live-uploads.ts'
import { RESULT } from '../inbox.queries.ts'
import { MissingResult } from './missing-result.tsx'
import { ResultFiles } from './result-files.tsx'
import { type Navigation, ResultHeader } from './result-header.tsx'
import type { MarkCommand } from './result-mark.tsx'

/** Shows one result with its patient and files. Opening it marks it as read. */
export function ResultView({
  id,
  controls,
  marks,
  onLost,
  ...navigation
}: {
  id: string
  controls: RefObject<PreviewControls | null>
  marks: RefObject<((command: MarkCommand) => void) | null>
  /** Called when the user may not open the result any more. */
  onLost: () => void
} & Navigation) {
  const [lost, setLost] = useState<{ id: string; at: Date } | null>(null)
  const lostAt = lost?.id === id ? lost.at : null
  const { data, error, refetch } = useQuery(RESULT, {
    variables: { id },
    fetchPolicy: 'network-only',
    skip: lostAt !== null,
  })
  const result = lostAt ? undefined : data?.upload
  const reload = () => void refetch().catch(() => undefined)

  const isOffline = useIsOffline()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the server can be reached again, not after each failure
  useEffect(() => {
    if (!isOffline && error && !result) reload()
  }, [isOffline])

  useEffect(() => {
    if (!result || result.openedAt !== null) return
    // The server has marked the result as read after it wrote this response, so the cache is updated here.
    client.cache.modify({
      id: client.cache.identify({ __typename: 'Upload', id: result.id }) ?? '',
      fields: { openedAt: () => new Date().toISOString() },
    })
  }, [result])

  useLiveUploads((ids) => {
    if (!result || (ids !== null && !ids.has(id))) return
    // Not `refetch`: its failure would remove the result from the screen when the network fails for a moment.
    client
      .query({ query: RESULT, variables: { id }, fetchPolicy: 'network-only' })
      .catch((failure: unknown) => {
        if (errorCode(failure) !== 'NOT_FOUND') return
        setLost({ id, at: new Date() })
        onLost()
      })
  })
  useEffect(() => {
    if (!lostAt) return
    client.cache.evict({ id: client.cache.identify({ __typename: 'Upload', id }) ?? '' })
    client.cache.gc()
  }, [lostAt, id])

  const isMissing = lostAt !== null || errorCode(error) === 'NOT_FOUND'
  return (
    <>
      <ResultHeader result={result} isLost={lostAt !== null} marks={marks} {...navigation} />
      {isMissing ? (
        <MissingResult key={id} id={id} lostAt={lostAt} />
      ) : result ? (
        <>
          {result.isUpdate && (
            <Alert tone="info" icon="history" title="Rezultat actualizat" className="m-2 shrink-0">
              Înlocuiește o versiune primită înainte, care nu mai este valabilă.
            </Alert>
          )}
          {result.patient && (
            <ShownNews
              key={`news ${id}`}
              patientId={result.patient.id}
              className="m-2 max-h-[25dvh] shrink-0 print:hidden"
            />
          )}
          <ResultFiles key={id} result={result} controls={controls} />
        </>
      ) : error ? (
        <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
      ) : (
        <div role="status" aria-label="Se încarcă" className="grid flex-1 grid-rows-[auto_1fr] gap-3 p-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-full" />
        </div>
      )}
    </>
  )
}
