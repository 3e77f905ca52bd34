import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { OPEN_QUESTIONS, type OpenQuestion } from './questions.queries.ts'
import { RESULT_COLUMN } from './result-column.ts'

const COLUMNS: readonly Column<OpenQuestion>[] = [
  RESULT_COLUMN,
  { id: 'institution', header: 'Instituția', cell: ({ institutionName }) => institutionName },
  {
    id: 'since',
    header: 'Așteaptă din',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ waitingSince }) => waitingSince && formatDateTime(waitingSince),
  },
  { id: 'answerer', header: 'Ar trebui să răspundă', cell: ({ answererName }) => answererName },
]

/** Lists for staff the questions that wait for an answer, the oldest first. */
export function OpenQuestions() {
  const { page, more, region, reload } = useListQuery(OPEN_QUESTIONS, (data) => data.openQuestions, {
    variables: {},
    fetchPolicy: 'cache-and-network',
  })
  useListChanges('QUESTIONS', reload)
  return (
    <ListRegion {...region}>
      <Table
        label="Întrebări"
        columns={COLUMNS}
        rows={page?.nodes ?? null}
        rowId={({ id }) => id}
        rowLink={({ uploadId }) => ({ to: '/uploads/$uploadId', params: { uploadId } })}
        empty={
          <EmptyState icon="check-circle" title="Nicio întrebare fără răspuns">
            Întrebările instituțiilor despre rezultate apar aici, cele mai vechi întâi.
          </EmptyState>
        }
        more={more}
      />
    </ListRegion>
  )
}
