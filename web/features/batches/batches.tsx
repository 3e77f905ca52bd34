import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { ProgressBar, Spinner } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { Badge } from '../../ui/page/status-pill.tsx'
import { acceptedText } from '../new-upload/file-checks.ts'
import { UploadLeaveGuard } from '../new-upload/upload-leave-guard.tsx'
import { countAll, describeFiled } from './batch-tabs.ts'
import { type BatchHead, OPEN_BATCHES } from './batches.queries.ts'
import { TransferCard } from './sending/transfer-card.tsx'
import { useBatchSender } from './sending/use-batch-sender.ts'

/** Apart, so that the page without a batch does not load its list. */
const BatchScreen = lazyNamed(() => import('./batch-screen.tsx'), 'BatchScreen')

/** Many files at once: where they are dropped and the open batches, or the batch that the address names. */
export function Batches() {
  const { batch, show } = useSearch({ from: '/admin-layout/bulk' })
  const navigate = useNavigate({ from: '/bulk' })
  const site = useSite()
  const sending = useBatchSender()
  const drop = async (files: File[]) => {
    const id = await sending.send(batch ?? null, files)
    if (id !== null && id !== batch) void navigate({ search: { batch: id } })
  }
  const isElsewhere = sending.isBusy && sending.state.batchId !== (batch ?? null)
  return (
    <>
      <UploadLeaveGuard loss={sending.isBusy ? 'batch' : null} />
      {batch ? (
        <Suspense fallback={<Spinner className="m-auto text-muted" />}>
          <BatchScreen
            key={batch}
            batchId={batch}
            filter={show ?? null}
            onFilter={(next) =>
              void navigate({
                search: { batch, ...(next && { show: next }) },
                replace: true,
                resetScroll: false,
              })
            }
            sending={sending}
            isElsewhere={isElsewhere}
            onFiles={(files) => void drop(files)}
          />
        </Suspense>
      ) : (
        <div className="mb-6 grid gap-4">
          <DropArea
            title="Trage aici un folder sau fișiere ale mai multor pacienți"
            help={`${acceptedText(site).replace(/ Cel mult.*/, '')} Cel mult ${LIMITS.batchFiles.toLocaleString('ro')} de fișiere; fiecare se citește și primește o propunere de pacient.`}
            takesFolders
            isCompact
            isDisabled={sending.isCreating || isElsewhere}
            onFiles={(files) => void drop(files)}
          />
          {sending.rejected.length > 0 && <TransferCard sending={sending} />}
          <OpenBatches />
        </div>
      )}
    </>
  )
}

function OpenBatches() {
  const { page, more, region } = useListQuery(OPEN_BATCHES, (data) => data.batches, {
    variables: {},
    fetchPolicy: 'cache-and-network',
  })
  if (region.failure === null && !page?.nodes.length) return null
  return (
    <Card title="Loturi neîncheiate">
      <ListRegion {...region}>
        <ul className="grid gap-4">
          {page?.nodes.map((batch) => (
            <li key={batch.id}>
              <OpenBatch batch={batch} />
            </li>
          ))}
        </ul>
        {more.hasMore && (
          <div className="flex justify-center pt-4">
            <Button onPress={more.onLoadMore} isPending={more.isLoading}>
              Încarcă mai multe
            </Button>
          </div>
        )}
      </ListRegion>
    </Card>
  )
}

function OpenBatch({ batch }: { batch: BatchHead }) {
  const { id, name, source, number, createdAt, counts } = batch
  const all = countAll(batch)
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <TextLink to="/bulk" search={{ batch: id }}>
            {name}
          </TextLink>
          {source === 'integration' && <Badge>trimis de o integrare</Badge>}
        </span>
        <span className="text-sm text-muted">
          nr. {number} · {formatDateTime(createdAt)} · {counted(counts.announced, 'fișier', 'fișiere')}
          {counts.missing > 0 && ` · ${counts.missing} n-au ajuns`}
        </span>
      </div>
      <ProgressBar
        hideLabel
        label={`Trimise din ${name}`}
        value={all === 0 ? 0 : (counts.filed / all) * 100}
        valueText={describeFiled(batch)}
      />
    </div>
  )
}
