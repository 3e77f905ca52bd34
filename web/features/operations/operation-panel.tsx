import { useMutation, useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import {
  EXCEPTION_OUTCOMES,
  exceptionsPath,
  type ItemOutcome,
  isAtWork,
  OPERATION_KIND_NAMES,
  type OperationKind,
  operationArchivePath,
  outcomeName,
} from '../../../shared/uploads/operations.ts'
import { errorMessage } from '../../api/client-error.ts'
import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { getTokenFor } from '../../session/token/token-for.ts'
import { Button } from '../../ui/base/button.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { ProgressBar, Skeleton } from '../../ui/base/loading.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import {
  CANCEL_OPERATION,
  OPERATION,
  OPERATION_ITEMS,
  type OperationItem,
  type OperationLine,
  START_OPERATION,
  UNDO_OPERATION,
} from './operations.queries.ts'

/** How often an operation is read again while a job works on it. */
const POLL_MS = 1_000

/** What an operation will do or has done, with its progress, its exceptions and its buttons. */
export function OperationPanel({
  id,
  onClose,
  onChange,
}: {
  id: string
  onClose: () => void
  /** The operation has come to another state. */
  onChange: () => void
}) {
  const { data, error, refetch, startPolling, stopPolling } = useQuery(OPERATION, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  })
  const state = data?.operation.state
  // A download that is planned ends when the browser has it.
  const atWork =
    state !== undefined && (isAtWork(state) || (state === 'planned' && data?.operation.kind === 'download'))
  useEffect(() => {
    if (atWork) startPolling(POLL_MS)
    return stopPolling
  }, [atWork, startPolling, stopPolling])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another state counts
  useEffect(() => {
    if (state !== undefined) onChange()
  }, [state])
  if (error && !data)
    return (
      <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
    )
  if (!data) {
    return (
      <div className="p-5" role="status" aria-label="Se încarcă">
        <Skeleton className="h-40" />
      </div>
    )
  }
  return <Panel operation={data.operation} onClose={onClose} />
}

const sum = ({ counts }: OperationLine, outcomes: readonly ItemOutcome[]) =>
  counts.filter(({ outcome }) => outcomes.includes(outcome)).reduce((all, { count }) => all + count, 0)

/** The outcomes that a job has still to work on, in the state in which it does. */
const LEFT = { planning: ['waiting'], running: ['will_change'], undoing: ['changed'] } as const
const WORK = { planning: 'Se verifică fiecare încărcare', running: 'Se modifică', undoing: 'Se anulează' }

function Panel({ operation, onClose }: { operation: OperationLine; onClose: () => void }) {
  const { id, number, kind, target, state, total, counts } = operation
  const [shown, setShown] = useState<ItemOutcome | null>(null)
  const working = state === 'planning' || state === 'running' || state === 'undoing' ? state : null
  // Nothing is counted before the job has worked for the first time.
  const left = working && (counts.length === 0 ? total : sum(operation, LEFT[working]))
  return (
    <div className="grid gap-4 border-b border-line px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 font-semibold break-words">
          Nr. {number}: {OPERATION_KIND_NAMES[kind]}
          {target && `, ${target}`}
        </h3>
        <Button variant="quiet" icon="close" onPress={onClose}>
          Închide
        </Button>
      </div>
      {working && (
        <ProgressBar
          label={WORK[working]}
          value={((total - left!) / total) * 100}
          valueText={`${total - left!} din ${total}`}
        />
      )}
      {!working && <Summary operation={operation} />}
      {counts.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line text-sm">
          {counts.map(({ outcome, message, count }) => (
            <li key={`${outcome} ${message}`} className="flex items-start justify-between gap-4 px-3 py-2">
              <span className="min-w-0 break-words">
                <span className="font-medium">{outcomeName(kind, outcome)}</span>
                {message && <span className="block text-muted">{message}</span>}
              </span>
              <span className="tabular-nums">{count.toLocaleString('ro')}</span>
            </li>
          ))}
        </ul>
      )}
      <Actions operation={operation} />
      {!working && (
        <Items
          key={operation.version}
          id={id}
          kind={kind}
          outcomes={[...new Set(counts.map(({ outcome }) => outcome))]}
          outcome={shown}
          onShow={setShown}
        />
      )}
    </div>
  )
}

function Summary({ operation }: { operation: OperationLine }) {
  const { kind, state, isUndoable } = operation
  if (kind === 'download') return <DownloadSummary operation={operation} />
  if (state === 'planned') {
    const changing = sum(operation, ['will_change'])
    if (changing === 0)
      return (
        <Alert tone="info" title="Nu s-ar modifica nimic">
          Mai jos este motivul pentru fiecare încărcare.
        </Alert>
      )
    return (
      <Alert tone="info" title={`S-ar modifica ${counted(changing, 'încărcare', 'încărcări')}`} isLive>
        Nimic nu s-a schimbat încă.{' '}
        {isUndoable ? 'După pornire, operația se poate anula.' : 'După pornire, operația nu se poate anula.'}
      </Alert>
    )
  }
  const [outcome, verb] =
    state === 'undone' ? (['undone', 'ca înainte'] as const) : (['changed', 'modificate'] as const)
  const failed = sum(operation, ['failed', 'not_undone'])
  return (
    <Alert
      tone={failed > 0 || state === 'cancelled' ? 'warning' : 'success'}
      title={`${counted(sum(operation, [outcome]), 'încărcare', 'încărcări')} ${verb}`}
      isLive
    >
      {state === 'cancelled' && 'Operația a fost oprită înainte de sfârșit. '}
      {failed > 0 && `${counted(failed, 'excepție', 'excepții')}, cu motivul mai jos.`}
    </Alert>
  )
}

function DownloadSummary({ operation }: { operation: OperationLine }) {
  const downloaded = sum(operation, ['changed'])
  const failed = sum(operation, ['failed'])
  if (operation.state === 'planned')
    return (
      <Alert
        tone="info"
        title={`De descărcat: ${counted(sum(operation, ['will_change']), 'încărcare', 'încărcări')}`}
        isLive
      >
        Fiecare încărcare are un folder în arhivă, iar descărcarea ei apare în jurnalul de activitate.
      </Alert>
    )
  return (
    <Alert
      tone={failed > 0 ? 'warning' : 'success'}
      title={`${counted(downloaded, 'încărcare', 'încărcări')} în arhivă`}
      isLive
    >
      {failed > 0 && `${counted(failed, 'excepție', 'excepții')}, cu motivul mai jos.`}
    </Alert>
  )
}

function Actions({ operation }: { operation: OperationLine }) {
  const { id, number, kind, version, state, isOwn, isContinuable, isUndoable } = operation
  const [start, starting] = useMutation(START_OPERATION)
  const [cancel, cancelling] = useMutation(CANCEL_OPERATION)
  const [undo, undoing] = useMutation(UNDO_OPERATION)
  const [isSaving, setSaving] = useState(false)
  const run = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => showToast({ tone: 'error', title: errorMessage(error) }))
  const changing = sum(operation, ['will_change'])
  const canUndo =
    isOwn && isUndoable && (state === 'done' || state === 'cancelled') && sum(operation, ['changed']) > 0
  const download = async () => {
    setSaving(true)
    try {
      const { _data: file } = await http.raw<Blob, 'blob'>(exceptionsPath(id), {
        headers: { authorization: `Bearer ${await getTokenFor('export')}` },
        responseType: 'blob',
        timeoutMs: FILE_TIMEOUT_MS,
      })
      saveFile(file as Blob, `exceptii-${number}.csv`)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {kind === 'download' && isOwn && !isAtWork(state) && sum(operation, ['will_change', 'changed']) > 0 && (
        <DownloadLink href={operationArchivePath(id)} variant="primary" icon="zip">
          Descarcă arhiva
        </DownloadLink>
      )}
      {kind !== 'download' && isOwn && (state === 'planned' || isContinuable) && changing > 0 && (
        <Button
          variant="primary"
          icon="play"
          isPending={starting.loading}
          onPress={() => run(start({ variables: { id, version } }))}
        >
          {`${isContinuable ? 'Continuă' : 'Pornește'} pentru ${counted(changing, 'încărcare', 'încărcări')}`}
        </Button>
      )}
      {isAtWork(state) && (
        <Button
          icon="close"
          isPending={cancelling.loading}
          onPress={() => run(cancel({ variables: { id } }))}
        >
          Oprește
        </Button>
      )}
      {canUndo && (
        <Button
          icon="undo"
          isPending={undoing.loading}
          onPress={() => run(undo({ variables: { id, version } }))}
        >
          Anulează operația
        </Button>
      )}
      {sum(operation, EXCEPTION_OUTCOMES) > 0 && !isAtWork(state) && (
        <Button icon="download" isPending={isSaving} onPress={() => run(download())}>
          Descarcă excepțiile
        </Button>
      )}
    </div>
  )
}

function Items({
  id,
  kind,
  outcomes,
  outcome,
  onShow,
}: {
  id: string
  kind: OperationKind
  outcomes: readonly ItemOutcome[]
  outcome: ItemOutcome | null
  onShow: (outcome: ItemOutcome | null) => void
}) {
  const { page, more, region } = useListQuery(OPERATION_ITEMS, (data) => data.operation.items, {
    variables: { id, outcome },
    fetchPolicy: 'network-only',
  })
  return (
    <div className="grid gap-2">
      <fieldset className="flex flex-wrap gap-2" aria-label="Care încărcări">
        {[null, ...outcomes].map((each) => (
          <Button
            key={each}
            variant={each === outcome ? 'secondary' : 'quiet'}
            aria-pressed={each === outcome}
            onPress={() => onShow(each)}
          >
            {each === null ? 'Toate' : outcomeName(kind, each)}
          </Button>
        ))}
      </fieldset>
      <ListRegion {...region}>
        <Table
          label="Încărcările operației"
          columns={itemColumns(kind)}
          rows={page?.nodes ?? null}
          rowId={({ uploadId, number }) => uploadId ?? `nr ${number}`}
          skeletonRows={3}
          more={more}
          empty={<EmptyState icon="inbox" title="Nicio încărcare" />}
        />
      </ListRegion>
    </div>
  )
}

const itemColumns = (kind: OperationKind): Column<OperationItem>[] => [
  {
    id: 'number',
    header: 'Încărcarea',
    kind: 'title',
    cell: ({ uploadId, number }) =>
      uploadId ? (
        <TextLink to="/uploads/$uploadId" params={{ uploadId }}>
          Nr. {number}
        </TextLink>
      ) : (
        <span>{number === null ? 'necunoscută' : `Nr. ${number}`}</span>
      ),
  },
  { id: 'outcome', header: 'Rezultat', cell: ({ outcome }) => outcomeName(kind, outcome) },
  { id: 'why', header: 'De ce', cell: ({ message }) => message },
]
