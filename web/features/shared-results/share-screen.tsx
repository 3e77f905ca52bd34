import { useQuery } from '@apollo/client/react'
import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { publicClient } from '../../api/public-client.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { ClosedShare } from './closed-share.tsx'
import { ProofForm } from './proof-form.tsx'
import { ShareLayout } from './share-layout.tsx'
import { SHARE_PAGE } from './shared-results.queries.ts'

// Loaded after the proof: a recipient waits for the form alone.
const SharedFiles = lazyNamed(() => import('./shared-files.tsx'), 'SharedFiles')

const TITLE = 'Rezultatele dumneavoastră'
/** How soon an open page notices that its share has ended. */
const POLL_MS = 10_000

/** The page of a share: its recipient proves who they are, then reads the files. Nothing of the patient is in it before. */
export function ShareScreen() {
  const { token } = useParams({ from: '/s/$token' })
  const { data, previousData, error, refetch } = useQuery(SHARE_PAGE, {
    client: publicClient,
    variables: { token },
    fetchPolicy: 'no-cache',
    pollInterval: POLL_MS,
    skipPollAttempt: () => document.hidden,
  })
  const check = async () => (await refetch()).data?.sharePage.state === 'open'
  // Its error is shown by the query.
  const retry = () => void refetch().catch(() => undefined)
  // A page that loses its connection for a moment keeps what it shows.
  const page = (data ?? previousData)?.sharePage
  if (!page) return <LoadingShare error={error} onRetry={retry} />
  const { state, closedReason, lockedUntil, proof, emailMasked, expiresAt, fileIds } = page
  if (state === 'closed') return <ClosedShare reason={closedReason} lockedUntil={lockedUntil} />
  if (state === 'open') {
    return (
      <Suspense fallback={<LoadingShare error={undefined} onRetry={retry} />}>
        {/* Another set of files replaces the page, with the previews of files that it no longer shows. */}
        <SharedFiles key={fileIds.join()} token={token} expiresAt={expiresAt} onCheck={check} />
      </Suspense>
    )
  }
  return (
    <ShareLayout title={TITLE}>
      {proof && (
        <ProofForm
          token={token}
          proof={proof}
          emailMasked={emailMasked}
          expiresAt={expiresAt}
          onChange={async () => void (await check())}
        />
      )}
    </ShareLayout>
  )
}

const LoadingShare = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <ShareLayout title={TITLE}>
    {error ? (
      <div className="grid max-w-md gap-5">
        <Notice tone="danger" isLive>
          {errorMessage(error)}
        </Notice>
        <PlainButton size="lg" onClick={onRetry}>
          Încercați din nou
        </PlainButton>
      </div>
    ) : (
      <p className="text-muted">Un moment…</p>
    )}
  </ShareLayout>
)
