import { useQuery } from '@apollo/client/react'
import { WORK_ACTIONS } from '../../../shared/audit/work-of-people.ts'
import { dayBefore, todayInRomania } from '../../../shared/romania/day.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useUser } from '../../session/use-session.ts'
import { Card } from '../../ui/base/card.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { type PersonWork, WORK_OF_PEOPLE } from './dashboard.queries.ts'
import { useDashboardFilters } from './use-dashboard-filters.ts'

const COUNTS = [
  { field: 'filed', header: 'Trimise la verificare' },
  { field: 'accepted', header: 'Acceptate' },
  { field: 'rejected', header: 'Respinse' },
] as const

/** What each person did in the period; only for administrators, who can open the audit log's entries of each number. */
export function WorkCard() {
  return useUser().role === 'admin' && <Work />
}

function Work() {
  const { days } = useDashboardFilters()
  const { data, previousData, error, refetch } = useQuery(WORK_OF_PEOPLE, { variables: { days } })
  const today = todayInRomania()
  const columns: Column<PersonWork>[] = [
    { id: 'name', header: 'Persoană', kind: 'title', cell: ({ name }) => name },
    ...COUNTS.map(({ field, header }) => ({
      id: field,
      header,
      align: 'end' as const,
      className: 'w-44',
      cell: (person: PersonWork) =>
        person[field] === 0 ? (
          '0'
        ) : (
          <TextLink
            to="/logs"
            search={{
              person: person.id,
              action: WORK_ACTIONS[field],
              from: dayBefore(today, days - 1),
              to: today,
              outcome: 'ok',
            }}
          >
            {person[field].toLocaleString('ro-RO')}
          </TextLink>
        ),
    })),
  ]
  return (
    <Card
      title="Cine ce a făcut"
      className="mt-6"
      meta={<span className="text-sm text-muted">{`ultimele ${counted(days, 'zi', 'zile')}`}</span>}
      flush
    >
      {error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : (
        <Table
          label="Cine ce a făcut"
          columns={columns}
          rows={(data ?? previousData)?.workOfPeople ?? null}
          rowId={({ id }) => id}
          empty={
            <EmptyState icon="users" title="Nimeni">
              Nimeni nu a trimis și nu a verificat nimic în această perioadă.
            </EmptyState>
          }
          isDense
        />
      )}
    </Card>
  )
}
