import { useQuery } from '@apollo/client/react'
import { type RefObject, useEffect, useState } from 'react'
import { client } from '../../api/client.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import type { PreviewControls } from '../preview/preview-controls.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { RESULT } from './inbox.queries.ts'
import { MissingResult } from './missing-result.tsx'
import { ResultFiles } from './result-files.tsx'
import { ResultHeader } from './result-header.tsx'

export interface ResultViewProps {
  id: string
  controls: RefObject<PreviewControls | null>
  /** Its place in the list, from 0; null if the list does not have it. */
  position: { place: number; count: number; isCut: boolean } | null
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onClose: () => void
}

/** Shows one result with its patient and files. Opening it marks it as read. */
export function ResultView({ id, controls, ...header }: ResultViewProps) {
  const [lost, setLost] = useState<{ id: string; at: Date } | null>(null)
  const lostAt = lost?.id === id ? lost.at : null
  const { data, error, refetch } = useQuery(RESULT, {
    variables: { id },
    fetchPolicy: 'network-only',
    skip: lostAt !== null,
  })
  const result = lostAt ? undefined : data?.upload

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
        if (errorCode(failure) === 'NOT_FOUND') setLost({ id, at: new Date() })
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
      <ResultHeader result={result} isLost={lostAt !== null} {...header} />
      {isMissing ? (
        <MissingResult key={id} id={id} lostAt={lostAt} />
      ) : result ? (
        <>
          {result.isUpdate && (
            <Alert tone="info" icon="history" title="Rezultat actualizat" className="m-2 shrink-0">
              Înlocuiește o versiune primită înainte, care nu mai este valabilă.
            </Alert>
          )}
          <ResultFiles key={id} result={result} controls={controls} />
        </>
      ) : error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : (
        <div role="status" aria-label="Se încarcă" className="grid flex-1 grid-rows-[auto_1fr] gap-3 p-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-full" />
        </div>
      )}
    </>
  )
}
