import { isNear, NEAR_NAMES } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { Table } from '../../ui/page/table.tsx'
import { patientColumns, TOO_MANY_PATIENTS } from './patient-columns.tsx'
import { REFERRED_PATIENTS } from './patients.queries.ts'

/** The patients whom an institution has referred, the newest first, with a search. */
export function ReferredPatients({ institutionId }: { institutionId: string }) {
  const { text, setText, search, isDebouncing } = useHistorySearch()
  const { page, isBusy, more, region } = useListQuery(REFERRED_PATIENTS, (data) => data.patients, {
    variables: { institutionId, search },
    isDebouncing,
  })
  return (
    <>
      <SearchField
        label="Caută printre pacienții instituției"
        placeholder="Nume, CNP sau număr"
        value={text}
        onChange={setText}
        isLoading={isBusy}
        className="mb-4 w-full sm:max-w-md"
      />
      <p role="status" className="text-sm text-muted not-empty:mb-4">
        {!isBusy && page?.isCut && TOO_MANY_PATIENTS}
        {!isBusy && isNear(page?.reasons) && NEAR_NAMES}
      </p>
      <ListRegion {...region}>
        <Table
          label={search === '' ? 'Pacienții instituției, cei mai noi întâi' : 'Pacienți găsiți'}
          columns={patientColumns(page?.reasons)}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/patients/$patientId', params: { patientId: id } })}
          more={more}
          empty={
            search === '' ? (
              <EmptyState icon="users" title="Niciun pacient trimis încă">
                Pacienții apar aici după ce li se adaugă o trimitere de la această instituție.
              </EmptyState>
            ) : (
              <EmptyState
                icon="search"
                title={`Niciun pacient al instituției pentru „${search}”`}
                action={<Button onPress={() => setText('')}>Arată toți pacienții ei</Button>}
              >
                Ajung câteva litere din nume și prenume sau cel puțin trei cifre din CNP.
              </EmptyState>
            )
          }
        />
      </ListRegion>
    </>
  )
}
