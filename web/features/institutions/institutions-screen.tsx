import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { INSTITUTIONS_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { INSTITUTION_KIND_NAMES } from '../../../shared/institutions.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useDebouncedText } from '../../ui/hooks/use-debounced-text.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { InstitutionMark } from './institution-mark.tsx'
import { InstitutionStatus } from './institution-status.tsx'
import { INSTITUTIONS, type InstitutionRow } from './institutions.queries.ts'

const InstitutionSheet = lazyOnIdle(() => import('./institution-sheet.tsx'), 'InstitutionSheet')

const columns: Column<InstitutionRow>[] = [
  {
    id: 'name',
    header: 'Denumire',
    kind: 'title',
    cell: (institution) => (
      <span className="inline-flex min-w-0 items-center gap-3 lg:flex">
        <InstitutionMark institution={institution} className="w-12" />
        <span className="min-w-0 lg:truncate">{institution.name}</span>
      </span>
    ),
  },
  { id: 'code', header: 'Cod', cell: ({ code }) => code, className: 'lg:w-32' },
  { id: 'kind', header: 'Tip', cell: ({ kind }) => INSTITUTION_KIND_NAMES[kind], className: 'lg:w-36' },
  {
    id: 'place',
    header: 'Localitate',
    cell: ({ locality, county }) =>
      [locality, county].filter((part, at, all) => part && all.indexOf(part) === at).join(', '),
    className: 'lg:w-48',
  },
  {
    id: 'phone',
    header: 'Telefon',
    className: 'whitespace-nowrap lg:w-36 @2xl/table:@max-5xl/table:hidden',
    cell: ({ phone }) => phone && formatPhone(phone),
  },
  {
    id: 'status',
    header: 'Stare',
    cell: ({ suspendedAt }) => <InstitutionStatus suspendedAt={suspendedAt} />,
    className: 'lg:w-32',
  },
]

/** The list of the institutions, a tab of its page. */
export function InstitutionsScreen() {
  const { q = '' } = useSearch({ from: '/admin-layout/institutions' })
  const navigate = useNavigate({ from: '/institutions' })
  const { text, setText, isDebouncing } = useDebouncedText(q, (next) =>
    navigate({ search: next ? { q: next } : {}, replace: true }),
  )
  const [isAdding, setAdding] = useState(false)
  const isAdmin = useUser().role === 'admin'
  const { page, isBusy, more, region } = useListQuery(INSTITUTIONS, (data) => data.institutions, {
    variables: { search: q || null },
    isDebouncing,
  })
  const isEmpty = !q && page?.nodes.length === 0
  const add = isAdmin && (
    <Button variant="primary" icon="plus" onPress={() => setAdding(true)}>
      Adaugă instituție
    </Button>
  )

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <SearchField
          label="Caută instituții"
          placeholder="Denumire, cod sau localitate"
          value={text}
          onChange={setText}
          isLoading={isBusy}
          className="w-full sm:max-w-md"
        />
        {!isEmpty && (
          <div className="flex flex-wrap gap-2">
            <ExportButton
              name="institutii"
              path={INSTITUTIONS_EXPORT_PATH}
              filter={{ method: 'POST', body: { search: q } }}
              isDisabled={isDebouncing}
            />
            {add}
          </div>
        )}
      </div>
      <ListRegion {...region}>
        <Table
          label="Instituții"
          isDense
          columns={columns}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/institutions/$institutionId', params: { institutionId: id } })}
          empty={
            q ? (
              <EmptyState
                icon="search"
                title={`Nicio instituție găsită pentru „${q}”`}
                action={<Button onPress={() => setText('')}>Arată toate instituțiile</Button>}
              >
                Caută după un cuvânt din denumire, cod sau localitate.
              </EmptyState>
            ) : (
              <EmptyState icon="hospital" title="Nicio instituție încă" action={add}>
                {isAdmin
                  ? 'Adaugă instituțiile care trimit pacienți și primesc rezultatele lor.'
                  : 'Un administrator le adaugă aici.'}
              </EmptyState>
            )
          }
          more={more}
        />
      </ListRegion>
      {isAdding && (
        <InstitutionSheet
          institution={null}
          onClose={() => setAdding(false)}
          onSaved={({ id, name }) => {
            showToast({ tone: 'success', title: 'Instituție adăugată', description: name })
            void navigate({ to: '/institutions/$institutionId', params: { institutionId: id } })
          }}
        />
      )}
    </>
  )
}
