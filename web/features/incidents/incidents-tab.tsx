import { useState } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Card } from '../../ui/base/card.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { IncidentClock } from './incident-clock.tsx'
import { INCIDENTS, type IncidentLine } from './incidents.queries.ts'

const COLUMNS: Column<IncidentLine>[] = [
  {
    id: 'number',
    header: 'Incident',
    kind: 'title',
    cell: ({ number, uploadNumber }) => `Nr. ${number}, rezultatul nr. ${uploadNumber}`,
  },
  { id: 'discovered', header: 'Descoperit', cell: ({ discoveredAt }) => formatDateTime(discoveredAt) },
  {
    id: 'requests',
    header: 'Ștergeri confirmate',
    cell: ({ requests }) =>
      requests.length > 0 &&
      `${requests.filter(({ answeredAt }) => answeredAt).length} din ${requests.length}`,
  },
  { id: 'state', header: 'Stare', cell: (incident) => <IncidentClock incident={incident} /> },
]

/** Lists the incidents, newest first; the open ones alone unless the user wants all. */
export function IncidentsTab() {
  const [withClosed, setWithClosed] = useState(false)
  const { page, more, region, reload } = useListQuery(INCIDENTS, (data) => data.incidents, {
    variables: { open: withClosed ? null : true },
  })
  useLiveUploads((ids) => {
    if (ids === null) reload()
  })
  return (
    <Card
      title="Incidente"
      flush
      actions={
        <Checkbox isSelected={withClosed} onChange={setWithClosed} className="mr-2">
          Și cele încheiate
        </Checkbox>
      }
    >
      <ListRegion {...region}>
        <Table
          label="Incidente"
          columns={COLUMNS}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/incidents/$incidentId', params: { incidentId: id } })}
          empty={
            <EmptyState
              icon="check-circle"
              title={withClosed ? 'Niciun incident' : 'Niciun incident deschis'}
            >
              Un incident se deschide când un rezultat eliberat trece la alt pacient, sau la altă instituție
              după ce a fost deschis.
            </EmptyState>
          }
          more={more}
        />
      </ListRegion>
    </Card>
  )
}
