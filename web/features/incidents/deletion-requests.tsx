import { useQuery } from '@apollo/client/react'
import { Suspense } from 'react'
import { FROM_CACHE } from '../../api/from-cache.ts'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { DELETION_REQUESTS } from './incidents.queries.ts'

/** Most institutions never have one. */
const DeletionRequestCard = lazyNamed(() => import('./deletion-request-card.tsx'), 'DeletionRequestCard')

/** The requests to the user's institutions to delete a result, above the inbox; the page of the institution loads them first. */
export function DeletionRequests() {
  const { data, refetch } = useQuery(DELETION_REQUESTS, FROM_CACHE)
  // Such an event names no upload, so that everything is loaded again.
  useLiveUploads((ids) => {
    if (ids === null) void refetch().catch(() => undefined)
  })
  const requests = data?.deletionRequests ?? []
  if (requests.length === 0) return null
  return (
    <section aria-label="Cereri de ștergere" className="mb-5 grid gap-3">
      <Suspense>
        {requests.map((request) => (
          <DeletionRequestCard key={request.id} request={request} />
        ))}
      </Suspense>
    </section>
  )
}
