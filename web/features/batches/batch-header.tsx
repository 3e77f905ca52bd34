import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Badge, StatusPill } from '../../ui/page/status-pill.tsx'
import { describeFiled } from './batch-tabs.ts'
import type { BatchHead } from './batches.queries.ts'

/** The name and numbers of a batch; its author files the sure groups here, and closes it. */
export function BatchHeader({
  batch,
  isFixed,
  isSending,
  filed,
  onAcceptSure,
  onCloseBatch,
}: {
  batch: BatchHead | null
  /** Whether the reader may only look. */
  isFixed: boolean
  isSending: boolean
  /** How many groups were filed with one key so far; null: none are being filed. */
  filed: number | null
  onAcceptSure: () => void
  onCloseBatch: () => void
}) {
  return (
    <PageHeader
      title={batch?.name ?? 'Lot de fișiere'}
      // On a narrow screen only the crumbs before the last one are shown.
      crumbs={[
        { label: 'Încărcările mele', link: { to: '/bulk' } },
        { label: batch?.name ?? 'Lot de fișiere' },
      ]}
      status={
        batch?.closedAt && (
          <StatusPill icon="archive" tone="neutral">
            Încheiat
          </StatusPill>
        )
      }
      meta={batch && <Meta batch={batch} />}
      actions={
        batch &&
        !isFixed && (
          <>
            <Button variant="quiet" icon="archive" isDisabled={isSending} onPress={onCloseBatch}>
              Încheie lotul
            </Button>
            <Button
              variant="primary"
              icon="paper-plane"
              isPending={filed !== null}
              isDisabled={batch.counts.ready === 0}
              onPress={onAcceptSure}
            >
              {filed === null ? `Trimite cele sigure (${batch.counts.ready})` : `S-au trimis ${filed}`}
            </Button>
          </>
        )
      }
    />
  )
}

const Meta = ({ batch }: { batch: BatchHead }) => (
  <>
    {batch.source === 'integration' && <Badge>trimis de o integrare</Badge>}
    <span>nr. {batch.number}</span>
    <span>{formatDateTime(batch.createdAt)}</span>
    <span>{counted(batch.counts.announced, 'fișier', 'fișiere')}</span>
    <span role="status">{describeFiled(batch)}</span>
    {batch.counts.sure > batch.counts.ready && (
      <span>
        {batch.counts.sure - batch.counts.ready} dintre cele sigure te așteaptă: le lipsește instituția sau
        categoria, ori sunt duplicate, necitibile sau refuzate
      </span>
    )}
  </>
)
