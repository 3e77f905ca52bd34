import type { Stories } from '../../catalogue/stories.ts'
import { ListRegion, type ListRegionProps } from './list-region.tsx'
import { Table } from './table.tsx'

const ROWS = ['Rusu Cristina', 'Rusu Mihai', 'Rusu Sorin'].map((name, index) => ({
  id: name,
  name,
  number: 1001 + index,
}))

const Region = (props: Partial<ListRegionProps>) => (
  <ListRegion
    isBusy={false}
    isOutdated={false}
    failure={null}
    refreshFailure={null}
    isRetrying={false}
    onRetry={() => undefined}
    {...props}
  >
    <Table
      label="Pacienți"
      columns={[
        { id: 'name', header: 'Nume și prenume', kind: 'title', cell: ({ name }) => name },
        { id: 'number', header: 'Nr.', align: 'end', cell: ({ number }) => number },
      ]}
      rows={ROWS}
      rowId={({ id }) => id}
      empty={null}
    />
  </ListRegion>
)

const SENTENCE = 'Nu am putut ajunge la server. Verifică rețeaua și încearcă din nou.'

export default {
  'cu răspuns': () => <Region />,
  'se caută altceva': () => <Region isBusy isOutdated />,
  'fără răspuns': () => <Region failure={SENTENCE} />,
  'se încearcă din nou': () => <Region failure={SENTENCE} isRetrying />,
  'poate veche': () => <Region refreshFailure={SENTENCE} />,
} satisfies Stories
