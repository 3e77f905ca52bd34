import { useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { isAtWork, OPERATION_KIND_NAMES, OPERATION_STATE_NAMES } from '../../../shared/uploads/operations.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { OPERATIONS, type OperationLine } from './operations.queries.ts'

// Loaded when they are opened: the fields bring the style sheet of the forms with them.
const NewOperation = lazyNamed(() => import('./new-operation.tsx'), 'NewOperation')
const OperationPanel = lazyNamed(() => import('./operation-panel.tsx'), 'OperationPanel')

/** Changes many uploads at once, and lists the user's own operations. A selection in the queue leads here. */
export function OperationsCard() {
  const selected = useLocation({ select: ({ state }) => state.selectedUploads })
  const navigate = useNavigate()
  const [isPlanning, setPlanning] = useState(false)
  const [openedId, setOpenedId] = useState<string | null>(null)
  const { page, reload, more, region } = useListQuery(OPERATIONS, (data) => data.operations, {
    variables: {},
  })
  const isNew = openedId === null && (isPlanning || selected !== undefined)
  const forgetSelection = () => {
    setPlanning(false)
    if (selected) void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false })
  }
  const open = (id: string | null) => {
    setOpenedId(id)
    forgetSelection()
    reload()
  }
  return (
    <Card
      title="Operații"
      actions={
        !isNew && (
          <Button
            variant="quiet"
            icon="plus"
            onPress={() => {
              setOpenedId(null)
              setPlanning(true)
            }}
          >
            Operație nouă
          </Button>
        )
      }
      flush
    >
      <Suspense
        fallback={
          <div className="p-5" role="status" aria-label="Se încarcă">
            <Skeleton className="h-40" />
          </div>
        }
      >
        {isNew && <NewOperation selected={selected} onCancel={forgetSelection} onPlan={open} />}
        {openedId !== null && (
          <OperationPanel key={openedId} id={openedId} onClose={() => open(null)} onChange={reload} />
        )}
      </Suspense>
      <ListRegion {...region}>
        <Table
          label="Operațiile mele"
          columns={columns(setOpenedId)}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          skeletonRows={2}
          more={more}
          empty={
            <EmptyState icon="layers" title="Nicio operație">
              Schimbă deodată categoria, instituția sau titlul mai multor încărcări, ori eliberează-le. Vezi
              întâi ce s-ar modifica.
            </EmptyState>
          }
        />
      </ListRegion>
    </Card>
  )
}

const columns = (onOpen: (id: string) => void): Column<OperationLine>[] => [
  {
    id: 'kind',
    header: 'Operația',
    kind: 'title',
    cell: ({ number, kind, target }) => (
      <>
        Nr. {number}: {OPERATION_KIND_NAMES[kind]}
        {target && <span className="block break-words font-normal text-muted">{target}</span>}
      </>
    ),
  },
  {
    id: 'total',
    header: 'Încărcări',
    align: 'end',
    cell: ({ total }) => counted(total, 'încărcare', 'încărcări'),
  },
  { id: 'state', header: 'Stare', cell: ({ state }) => <OperationState state={state} /> },
  {
    id: 'at',
    header: 'Când',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    className: 'whitespace-nowrap',
  },
  {
    id: 'open',
    header: 'Deschide',
    kind: 'actions',
    cell: ({ id, number }) => (
      <Button variant="quiet" aria-label={`Vezi operația nr. ${number}`} onPress={() => onOpen(id)}>
        Vezi
      </Button>
    ),
  },
]

export function OperationState({ state }: Pick<OperationLine, 'state'>) {
  const icon = isAtWork(state)
    ? 'loader'
    : state === 'done'
      ? 'check'
      : state === 'planned'
        ? 'clock'
        : 'undo'
  return (
    <StatusPill icon={icon} tone={state === 'done' ? 'success' : 'neutral'}>
      {OPERATION_STATE_NAMES[state]}
    </StatusPill>
  )
}
