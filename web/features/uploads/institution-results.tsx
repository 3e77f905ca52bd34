import { OPENING_FILTERS, RESULT_DAYS, type ResultFilters } from '../../../shared/result-filters.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Select } from '../../ui/options/select.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { CategoryBadge } from '../categories/category-icon.tsx'
import { INSTITUTION_RESULTS, type InstitutionResult } from './institution-results.queries.ts'

const COLUMNS: readonly Column<InstitutionResult>[] = [
  {
    id: 'released',
    header: 'Eliberat',
    cell: ({ releasedAt }) => releasedAt && formatDateTime(releasedAt),
    className: 'whitespace-nowrap tabular-nums',
  },
  { id: 'number', header: 'Număr', cell: ({ number }) => <span className="tabular-nums">{number}</span> },
  { id: 'title', header: 'Titlu', kind: 'title', cell: ({ title }) => title },
  {
    id: 'patient',
    header: 'Pacient',
    cell: ({ patient }) =>
      patient && (
        <span className="min-w-0">
          <span className="block">{patient.name}</span>
          {patient.cnpMasked && (
            <span className="block text-xs text-muted tabular-nums">CNP {patient.cnpMasked}</span>
          )}
        </span>
      ),
  },
  {
    id: 'category',
    header: 'Categorie',
    cell: ({ category }) => category && <CategoryBadge category={category} />,
  },
  {
    id: 'opened',
    header: 'Deschis',
    cell: ({ firstOpenedAt }) =>
      firstOpenedAt ? (
        formatDateTime(firstOpenedAt)
      ) : (
        <StatusPill icon="envelope" tone="warning">
          Nedeschis
        </StatusPill>
      ),
    className: 'whitespace-nowrap tabular-nums',
  },
]

const ANY = 'any'
const periods = [
  { id: ANY, label: 'Oricând' },
  ...RESULT_DAYS.map((days) => ({ id: String(days), label: `Ultimele ${counted(days, 'zi', 'zile')}` })),
]
const OPENING_NAMES = { nedeschise: 'Doar nedeschise', deschise: 'Doar deschise' }
const openings = [
  { id: ANY, label: 'Deschise și nedeschise' },
  ...OPENING_FILTERS.map((id) => ({ id, label: OPENING_NAMES[id] })),
]

/** The results released to an institution, newest first; the filters are in the address. */
export function InstitutionResults({
  institutionId,
  filters,
  onChange,
}: {
  institutionId: string
  filters: ResultFilters
  onChange: (filters: ResultFilters) => void
}) {
  const { days, opening } = filters
  const { page, more, region } = useListQuery(INSTITUTION_RESULTS, (data) => data.institutionResults, {
    variables: { institutionId, days: days ?? null, opened: opening ? opening === 'deschise' : null },
  })
  const change = (next: { days?: string; opening?: string }) => {
    const chosen = {
      days: RESULT_DAYS.find((each) => String(each) === (next.days ?? String(days))),
      opening: OPENING_FILTERS.find((each) => each === (next.opening ?? opening)),
    }
    onChange({
      ...(chosen.days && { days: chosen.days }),
      ...(chosen.opening && { opening: chosen.opening }),
    })
  }
  const isFiltered = days !== undefined || opening !== undefined
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Select
          label="Perioada"
          hideLabel
          options={periods}
          value={days ? String(days) : ANY}
          onChange={(id) => change({ days: id })}
          className="w-full sm:w-56"
        />
        <Select
          label="Deschiderea"
          hideLabel
          options={openings}
          value={opening ?? ANY}
          onChange={(id) => change({ opening: id })}
          className="w-full sm:w-56"
        />
      </div>
      <ListRegion {...region}>
        <Table
          label="Rezultatele instituției"
          columns={COLUMNS}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/uploads/$uploadId', params: { uploadId: id } })}
          more={more}
          empty={
            isFiltered ? (
              <EmptyState
                icon="search"
                title="Niciun rezultat cu aceste filtre"
                action={<Button onPress={() => onChange({})}>Arată toate rezultatele</Button>}
              >
                Alege altă perioadă sau arată și rezultatele deschise.
              </EmptyState>
            ) : (
              <EmptyState icon="paper-plane" title="Niciun rezultat eliberat încă">
                Rezultatele apar aici de îndată ce sunt eliberate pentru această instituție.
              </EmptyState>
            )
          }
        />
      </ListRegion>
    </>
  )
}
