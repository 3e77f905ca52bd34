import { useApolloClient, useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { memo, useLayoutEffect, useState } from 'react'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { holdIdleTasks } from '../../loading/when-idle.ts'
import { useCanOpenUploads, useFeature } from '../../session/use-session.ts'
import { LinkButton } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { FilesOff } from '../uploads/files-off.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { PreparedScreen } from './prepared-screen.tsx'
import { KNOWN_UPLOAD, UPLOAD } from './upload.queries.ts'
import { UploadReview } from './upload-review.tsx'
import { readAgain } from './use-preload-next.ts'

const route = getRouteApi('/default-layout/uploads/$uploadId')

/** One upload: the document beside its data, and the verdict for reviewers. */
export function UploadScreen() {
  const { uploadId } = route.useParams()
  const [preparedId, setPreparedId] = useState<string | null>(null)
  // Only the next upload is prepared: one that the page has left is mounted again when it is opened again.
  if (preparedId === uploadId) setPreparedId(null)
  if (!useCanOpenUploads()) {
    return (
      <>
        <h1 className="sr-only">Încărcare</h1>
        <FilesOff />
      </>
    )
  }
  const ids = preparedId === null || preparedId === uploadId ? [uploadId] : [uploadId, preparedId]
  // The key gives each upload its own state: file, dialog and decision guard.
  return ids.map((id) => (
    <PreparedScreen key={id} isShown={id === uploadId}>
      <LoadedUpload id={id} onNextLoaded={setPreparedId} />
    </PreparedScreen>
  ))
}

/** A prepared upload is rendered already when it is shown: with the same properties it is not rendered again. */
const LoadedUpload = memo(function LoadedUpload({
  id,
  onNextLoaded,
}: {
  id: string
  onNextLoaded: (id: string) => void
}) {
  const { data, error, loading, refetch } = useQuery(UPLOAD, { variables: { id } })
  const upload = data?.upload

  useLiveUploads((ids) => {
    const next = upload?.nextInReview
    // Another reviewer may have decided on the next upload, or a new upload may follow the last.
    if (ids === null || ids.has(id) || !next || ids.has(next)) void refetch().catch(() => undefined)
    // A prepared upload gets no changes itself, and may be another patient's now.
    if (next && (ids === null || ids.has(next))) void readAgain(next).catch(() => undefined)
  })

  if (upload) return <UploadReview upload={upload} onReload={refetch} onNextLoaded={onNextLoaded} />
  if (error && errorCode(error) === 'NOT_FOUND') return <UploadNotFound />
  if (error) {
    return (
      <ErrorState onRetry={() => void refetch().catch(() => undefined)} isRetrying={loading}>
        {errorMessage(error)}
      </ErrorState>
    )
  }
  return <Loading id={id} />
})

function UploadNotFound() {
  const isReviewer = useFeature('admin::review-files')
  return (
    <>
      <h1 className="sr-only">Încărcarea nu există</h1>
      <EmptyState
        icon="file-question"
        title="Încărcarea nu există sau nu ai acces la ea"
        action={
          <LinkButton to={isReviewer ? '/uploads' : '/patients'} icon="arrow-left">
            {isReviewer ? 'Înapoi la verificare' : 'Înapoi la pacienți'}
          </LinkButton>
        }
      >
        Poate a fost retrasă între timp, sau adresa este greșită.
      </EmptyState>
    </>
  )
}

/** Shows at once what a list has shown of the upload that was opened from it; for the rest, where it will be. */
function Loading({ id }: { id: string }) {
  const { cache } = useApolloClient()
  useLayoutEffect(holdIdleTasks, [])
  const known = cache.readFragment({
    id: cache.identify({ __typename: 'Upload', id }) ?? '',
    fragment: KNOWN_UPLOAD,
  })
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div role="status" aria-label="Se încarcă" className="max-lg:order-last">
        <Skeleton className="h-[80dvh] rounded-lg" />
      </div>
      <div className="grid content-start gap-4">
        {known ? (
          <h1 className="text-lg font-semibold break-words">{known.title}</h1>
        ) : (
          <Skeleton className="h-8 w-3/4" />
        )}
        <Skeleton className="h-10" />
        {known?.patient ? (
          <p className="h-32 rounded-lg border border-line bg-surface p-4 text-xl font-semibold break-words sm:px-5">
            {known.patient.name}
          </p>
        ) : (
          <Skeleton className="h-32 rounded-lg" />
        )}
        <Skeleton className="h-72 rounded-lg max-lg:hidden" />
      </div>
    </div>
  )
}
