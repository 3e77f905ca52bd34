import { formatDate } from '../../../shared/romania/romanian.ts'
import { errorCode } from '../../api/client-error.ts'
import type { RowReason } from '../../lists/search-reasons.queries.ts'
import { isNear, NEAR_NAMES, SearchReason } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import type { LinkTarget } from '../../ui/base/link.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { Breadcrumbs } from '../../ui/page/breadcrumbs.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { RequestAccess } from '../access-requests/request-access.tsx'
import { ShownNews } from '../news/shown-news.tsx'
import { UnderWay } from '../sent-uploads/under-way.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { MY_PATIENTS, type MyPatient, PATIENT_RESULTS } from './inbox.queries.ts'
import { useShowResults } from './result/shown-results.ts'
import { ResultList } from './result-list.tsx'

const columnsOf = (reasons: readonly RowReason[] | undefined): readonly Column<MyPatient>[] => [
  {
    id: 'name',
    header: 'Nume și prenume',
    kind: 'title',
    cell: ({ id, name }) => (
      <>
        {name}
        <SearchReason rowId={id} reasons={reasons} />
      </>
    ),
  },
  { id: 'cnp', header: 'CNP', cell: ({ cnpMasked }) => cnpMasked, className: 'tabular-nums' },
  {
    id: 'birthDate',
    header: 'Data nașterii',
    cell: ({ birthDate }) => birthDate && formatDate(birthDate),
    className: 'tabular-nums',
  },
  { id: 'number', header: 'Nr.', align: 'end', cell: ({ number }) => number },
]

/** Lists the patients that the user's institutions have referred, with links to their results if any may be read. */
export function InstitutionPatients({ hasFiles }: { hasFiles: boolean }) {
  const { text, setText, search, isDebouncing } = useHistorySearch()
  const { page, isBusy, more, region } = useListQuery(MY_PATIENTS, (data) => data.patients, {
    variables: { search },
    isDebouncing,
  })
  const requestAccess = <RequestAccess search={search} />
  return (
    <>
      <SearchField
        label="Căutați un pacient"
        placeholder="Nume, CNP sau data nașterii"
        value={text}
        onChange={setText}
        isLoading={isBusy}
        className="mb-4 w-full sm:max-w-80"
      />
      <p role="status" className="text-sm text-muted not-empty:mb-4">
        {!isBusy &&
          page?.isCut &&
          'Sunt prea mulți pacienți cu aceste cifre ca să-i arătăm pe toți. Scrieți mai multe cifre.'}
        {!isBusy && isNear(page?.reasons) && NEAR_NAMES}
      </p>
      <ListRegion {...region}>
        <Table
          label="Pacienți"
          columns={columnsOf(page?.reasons)}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          {...(hasFiles ? { rowLink: ({ id }: MyPatient) => resultsOf(id) } : {})}
          more={more}
          empty={
            search === '' ? (
              <EmptyState icon="users" title="Nu aveți încă pacienți aici" action={requestAccess}>
                Pacienții apar după ce centrul înregistrează trimiterea dumneavoastră.
              </EmptyState>
            ) : (
              <EmptyState icon="search" title="Niciun pacient găsit" action={requestAccess}>
                Căutați după câteva litere din nume și prenume, și cu anul nașterii, după data nașterii sau
                după cel puțin trei cifre de la începutul sau sfârșitul CNP-ului. Dacă pacientul este al
                dumneavoastră și nu apare, cereți acces.
              </EmptyState>
            )
          }
        />
      </ListRegion>
    </>
  )
}

const resultsOf = (patient: string): LinkTarget => ({
  to: '/institution',
  search: { tab: 'pacienti', patient },
})

/** Lists all results of one patient that the user may see. */
export function InstitutionPatient({ id }: { id: string }) {
  const { data, page, error, reload, more, region } = useListQuery(
    PATIENT_RESULTS,
    ({ patient }) => patient.uploads,
    { variables: { patientId: id } },
  )
  const patient = data?.patient
  useLiveUploads(reload, { patientId: id })
  useShowResults(page?.nodes ?? null, more)

  return (
    <>
      <Breadcrumbs
        crumbs={[
          { label: 'Pacienți', link: { to: '/institution', search: { tab: 'pacienti' } } },
          { label: patient?.name ?? 'Pacient' },
        ]}
      />
      {patient && (
        <div className="mt-1 mb-5">
          <h2 className="text-xl font-semibold break-words">{patient.name}</h2>
          <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
            {patient.birthDate && <span>{formatDate(patient.birthDate)}</span>}
            {patient.cnpMasked && <span>CNP {patient.cnpMasked}</span>}
          </p>
        </div>
      )}
      {patient && <ShownNews key={`news ${id}`} patientId={id} className="mb-5" />}
      {patient && <UnderWay key={id} patientId={id} />}
      {errorCode(error) === 'NOT_FOUND' ? (
        <EmptyState icon="user-x" title="Pacientul nu există sau nu aveți acces la el">
          Întoarceți-vă la lista pacienților.
        </EmptyState>
      ) : (
        <ListRegion {...region}>
          {page?.nodes.length === 0 ? (
            <EmptyState icon="inbox" title="Niciun rezultat încă">
              Rezultatele acestui pacient apar aici de îndată ce sunt eliberate.
            </EmptyState>
          ) : (
            <ResultList results={page?.nodes ?? null} more={more} />
          )}
        </ListRegion>
      )}
    </>
  )
}
