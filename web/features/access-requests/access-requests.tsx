import { useState } from 'react'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { AccessRequestStatePill } from './access-request-state.tsx'
import { ACCESS_REQUESTS, type AccessRequest } from './access-requests.queries.ts'

const AccessRequestSheet = lazyOnIdle(() => import('./access-request-sheet.tsx'), 'AccessRequestSheet')

const COLUMNS: readonly Column<AccessRequest>[] = [
  {
    id: 'name',
    header: 'Pacientul cerut',
    kind: 'title',
    cell: ({ surname, givenNames }) => `${surname} ${givenNames}`,
  },
  {
    id: 'birthDate',
    header: 'Data nașterii',
    className: 'tabular-nums',
    cell: ({ birthDate }) => formatDate(birthDate),
  },
  { id: 'institution', header: 'Instituția', cell: ({ institutionName }) => institutionName },
  {
    id: 'createdAt',
    header: 'Trimisă',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  { id: 'state', header: 'Stare', cell: ({ state }) => <AccessRequestStatePill state={state} /> },
]

/** Lists for staff the requests for access, the oldest first; the open request is in the address. */
export function AccessRequests({ requestId, onClose }: { requestId: string | null; onClose: () => void }) {
  const [decided, setDecided] = useState(false)
  const { page, more, region, reload } = useListQuery(ACCESS_REQUESTS, (data) => data.accessRequests, {
    variables: { decided },
    fetchPolicy: 'cache-and-network',
  })
  useListChanges('ACCESS_REQUESTS', reload)
  return (
    <>
      <Checkbox isSelected={decided} onChange={setDecided} className="mb-3">
        Cele decise
      </Checkbox>
      <ListRegion {...region}>
        <Table
          label="Cereri de acces"
          columns={COLUMNS}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/institutions', search: { tab: 'cereri', request: id } })}
          empty={
            <EmptyState
              icon="check-circle"
              title={decided ? 'Nicio cerere decisă' : 'Nicio cerere de acces de decis'}
            >
              Instituțiile cer acces la pacienții pe care nu îi găsesc. Cererile decise se șterg după 90 de
              zile.
            </EmptyState>
          }
          more={more}
        />
      </ListRegion>
      {requestId && (
        <AccessRequestSheet
          key={requestId}
          id={requestId}
          onClose={() => {
            reload()
            onClose()
          }}
        />
      )}
    </>
  )
}
