import type { Stories } from '../../catalogue/stories.ts'
import { IconButton } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from './empty-state.tsx'
import { StatusPill } from './status-pill.tsx'
import { type Column, Table, type TableProps } from './table.tsx'

interface Patient {
  id: string
  name: string
  town: string | null
  uploads: number
}

const patients: Patient[] = [
  { id: '1', name: 'Popescu Ana-Maria', town: 'Brașov', uploads: 3 },
  { id: '2', name: 'Țurcanu Ștefan', town: null, uploads: 20 },
]

const columns: Column<Patient>[] = [
  { id: 'name', header: 'Nume', cell: ({ name }) => name, kind: 'title' },
  { id: 'town', header: 'Localitate', cell: ({ town }) => town },
  {
    id: 'state',
    header: 'Stare',
    cell: () => (
      <StatusPill icon="check-circle" tone="success">
        Publicat
      </StatusPill>
    ),
  },
  { id: 'uploads', header: 'Trimiteri', cell: ({ uploads }) => uploads, align: 'end' },
  {
    id: 'actions',
    header: 'Acțiuni',
    cell: ({ name }) => <IconButton icon="more" label={`Mai multe despre ${name}`} />,
    kind: 'actions',
  },
]

const Patients = (props: Partial<TableProps<Patient>>) => (
  <Card title="Pacienți" flush>
    <Table
      label="Pacienți"
      columns={columns}
      rows={patients}
      rowId={({ id }) => id}
      empty={<EmptyState icon="users" title="Niciun pacient încă" />}
      {...props}
    />
  </Card>
)

const more = { hasMore: true, isLoading: false, onLoadMore: () => {} }

export default {
  rânduri: () => <Patients />,
  'rânduri care duc undeva': () => <Patients rowLink={() => ({ to: '/' })} />,
  'pe carduri, când e îngust': () => (
    <div className="max-w-sm">
      <Patients />
    </div>
  ),
  'se încarcă': () => <Patients rows={null} skeletonRows={3} />,
  'fără rânduri': () => <Patients rows={[]} />,
  'cu mai multe': () => <Patients more={more} />,
  'mai multe pe drum': () => <Patients more={{ ...more, isLoading: true }} />,
} satisfies Stories
