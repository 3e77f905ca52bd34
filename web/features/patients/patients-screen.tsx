import { useMutation } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { PATIENTS_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { isNear, NEAR_NAMES } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useFeature } from '../../session/use-session.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Kbd } from '../../ui/base/kbd.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Table } from '../../ui/page/table.tsx'
import { patientColumns, TOO_MANY_PATIENTS } from './patient-columns.tsx'
import { EMPTY_PATIENT, type PatientValues, valuesOfSearch } from './patient-values.ts'
import { CREATE_PATIENT, PATIENTS } from './patients.queries.ts'
import { useKeysOutsideFields } from './use-keys-outside-fields.ts'

const PatientSheet = lazyOnIdle(() => import('./patient-sheet.tsx'), 'PatientSheet')

/** The screen to find or add a patient, where all work of a registrar begins. */
export function PatientsScreen() {
  const navigate = useNavigate()
  const mayShare = useFeature('patient::share')
  const { text, setText, search, flush, isDebouncing } = useHistorySearch()
  const { page, isBusy, error, more, region } = useListQuery(PATIENTS, (data) => data.patients, {
    variables: { search },
    isDebouncing,
  })
  const [isAdding, setAdding] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useKeysOutsideFields(() => {
    const field = list.current?.querySelector('input')
    field?.focus()
    field?.select()
  })

  const open = (id: string) => navigate({ to: '/patients/$patientId', params: { patientId: id } })

  // Enter in the search waits for the result of the typed text: with the rows of an earlier search it could
  // open another patient.
  const [isSubmitted, setSubmitted] = useState(false)
  useEffect(() => {
    if (!isSubmitted || isBusy) return
    setSubmitted(false)
    if (error !== null || !page) return
    const [first, second] = page.nodes
    if (first && !second && search !== '' && !isNear(page.reasons)) void open(first.id)
    else rowLinks(list.current)[0]?.focus()
  })

  const add = (
    <Button variant="primary" icon="user-plus" onPress={() => setAdding(true)}>
      Adaugă pacient
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Pacienți"
        actions={
          <>
            {mayShare && (
              <LinkButton to="/patients" search={{ tab: 'linkuri' }} icon="share">
                Linkuri cu rezultate
              </LinkButton>
            )}
            <ExportButton
              name="pacienti"
              path={PATIENTS_EXPORT_PATH}
              filter={{ method: 'POST', body: { search } }}
              isDisabled={isDebouncing}
            />
            {add}
          </>
        }
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only move among the links inside */}
      <div ref={list} onKeyDown={moveAmongRows}>
        <div className="mb-4 flex items-center gap-3">
          <SearchField
            label="Caută un pacient"
            placeholder="Nume, CNP, data nașterii sau telefon"
            className="w-full sm:max-w-md"
            autoFocus
            isLoading={isBusy}
            value={text}
            onChange={(typed) => {
              setSubmitted(false)
              setText(typed)
            }}
            onSubmit={() => {
              flush()
              setSubmitted(true)
            }}
          />
          <span aria-hidden="true" className="flex items-center gap-1.5 text-sm text-muted max-lg:hidden">
            <Kbd>/</Kbd> caută <Kbd>↓</Kbd> alege <Kbd>Enter</Kbd> deschide
          </span>
        </div>
        <p role="status" className="text-sm text-muted not-empty:mb-4">
          {!isBusy && page?.isCut && TOO_MANY_PATIENTS}
          {!isBusy && isNear(page?.reasons) && NEAR_NAMES}
        </p>
        <ListRegion {...region}>
          <Table
            label={search === '' ? 'Pacienți, cei mai noi întâi' : 'Pacienți găsiți'}
            columns={patientColumns(page?.reasons)}
            rows={page?.nodes ?? null}
            rowId={({ id }) => id}
            rowLink={({ id }) => ({ to: '/patients/$patientId', params: { patientId: id } })}
            isDense
            more={more}
            empty={<NoPatientsFound search={search} add={add} />}
          />
        </ListRegion>
      </div>
      {isAdding && <AddPatientSheet start={valuesOfSearch(text)} onClose={() => setAdding(false)} />}
    </>
  )
}

function NoPatientsFound({ search, add }: { search: string; add: ReactNode }) {
  if (search === '') {
    return (
      <EmptyState icon="users" title="Niciun pacient încă" action={add}>
        Adaugă primul pacient, apoi încarcă rezultatele lui pe pagina sa.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="search" title={`Niciun pacient pentru „${search}”`} action={add}>
      Ajung câteva litere din nume și prenume, în orice ordine, și cu anul nașterii sau localitatea; data
      nașterii; cel puțin trei cifre de la începutul sau sfârșitul CNP-ului ori ultimele cifre ale
      telefonului. Ce ai căutat se completează singur la adăugare.
    </EmptyState>
  )
}

function AddPatientSheet({ start, onClose }: { start: PatientValues; onClose: () => void }) {
  const navigate = useNavigate()
  const [createPatient] = useMutation(CREATE_PATIENT, {
    // The newest patients come first, so every loaded page of the list is outdated.
    update: (cache) => void cache.evict({ fieldName: 'patients' }),
  })
  return (
    <PatientSheet
      title="Pacient nou"
      saveLabel="Adaugă pacient"
      patientId={null}
      stored={EMPTY_PATIENT}
      start={start}
      onClose={onClose}
      onSave={async (patient, release, distinctFrom) => {
        const { data } = await createPatient({ variables: { patient, distinctFrom } })
        if (!data) return
        const { id, name, number } = data.createPatient
        showToast({
          tone: 'success',
          title: 'Pacient adăugat',
          description: `${name}, nr. ${number}`,
        })
        release()
        await navigate({ to: '/patients/$patientId', params: { patientId: id } })
      }}
    />
  )
}

const rowLinks = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('.row-link') ?? []),
]

/**
 * Moves the focus with the arrow keys: from the search into the rows, between rows, and from the first row
 * back into the search.
 */
function moveAmongRows(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = rowLinks(event.currentTarget)
  const index = links.indexOf(document.activeElement as HTMLElement)
  const isInSearch = document.activeElement instanceof HTMLInputElement
  if (index < 0 && !(isInSearch && event.key === 'ArrowDown')) return
  event.preventDefault()
  const next = event.key === 'ArrowDown' ? index + 1 : index - 1
  if (next < 0) event.currentTarget.querySelector('input')?.focus()
  else links[next]?.focus()
}
