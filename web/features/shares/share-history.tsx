import { useQuery } from '@apollo/client/react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { describeEvent } from '../../../shared/shares/describe-event.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { SHARE_HISTORY } from './shares.queries.ts'

/** Every attempt at a share and every opening of it, the newest first. Mounted while it is open. */
export function ShareHistory({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(SHARE_HISTORY, {
    variables: { id },
    fetchPolicy: 'network-only',
  })
  return (
    <SideSheet
      isOpen
      onOpenChange={onClose}
      title={data ? `Istoric: ${data.share.recipientName}` : 'Istoric'}
      actions={<Button onPress={onClose}>Închide</Button>}
    >
      {error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : !data ? (
        <div role="status" aria-label="Se încarcă">
          <Skeleton className="h-24" />
        </div>
      ) : data.share.events.length === 0 ? (
        <p className="text-muted">Nimeni nu a încercat încă să-l deschidă.</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {data.share.events.map((event) => (
            <li key={event.id} className="grid gap-0.5 py-2">
              <p className="break-words first-letter:uppercase">{describeEvent(event)}</p>
              <p className="text-muted tabular-nums">{formatDateTime(event.at)}</p>
            </li>
          ))}
        </ul>
      )}
    </SideSheet>
  )
}
