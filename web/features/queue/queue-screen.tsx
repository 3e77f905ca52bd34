import { useQuery } from '@apollo/client/react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { UPLOADS_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import { client } from '../../api/client.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { isNear, NEAR_NAMES } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { whenIdle } from '../../loading/when-idle.ts'
import { Button, IconButton, LinkButton } from '../../ui/base/button.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type TabItem, Tabs } from '../../ui/page/tabs.tsx'
import { loadPdfViewer } from '../preview/load-viewer.ts'
import { useQueueCounts } from '../uploads/queue-counts.ts'
import { useFreshUploads } from '../uploads/use-fresh-uploads.ts'
import { QUEUE, type QueueFilter } from './queue.queries.ts'
import { QueueFilterBar, type QueueFilters } from './queue-filters.tsx'
import { QueueTable } from './queue-table.tsx'
import { SelectionBar } from './selection-bar.tsx'

const route = getRouteApi('/default-layout/uploads')

const TABS: readonly TabItem<UploadState>[] = [
  { id: 'in_review', label: 'De verificat', icon: 'review' },
  { id: 'unassigned', label: 'Fără pacient', icon: 'user-x' },
  { id: 'rejected', label: 'Respinse', icon: 'error' },
  { id: 'accepted', label: 'De eliberat', icon: 'clock' },
  { id: 'released', label: 'Eliberate', icon: 'paper-plane' },
  { id: 'quarantined', label: 'În carantină', icon: 'shield-alert' },
]

/** The header of the first column by state: the event from which the age counts. */
const SINCE_LABELS: Partial<Record<UploadState, string>> = {
  in_review: 'Așteaptă',
  unassigned: 'Așteaptă',
  rejected: 'Respinsă',
  accepted: 'Acceptată',
  released: 'Eliberată',
  quarantined: 'Oprită',
}

/**
 * The review queue: the uploads in one state, in the server's order, filtered by the parameters of the
 * address.
 */
export function QueueScreen() {
  const { state: states = ['in_review'], q: _, ...filters } = route.useSearch()
  const { text, setText, search, flush, isDebouncing } = useHistorySearch()
  const [isSubmitted, setSubmitted] = useState(false)
  const navigate = route.useNavigate()
  const selected = states[0]!
  const counts = useQueueCounts()
  // So that the first document opens sooner.
  useEffect(() => whenIdle(() => void loadPdfViewer().catch(() => undefined)), [])
  /** The chosen rows of one tab; null: rows are not being chosen. */
  const [chosen, setChosen] = useState<{ state: UploadState; ids: ReadonlySet<string> } | null>(null)
  const ids = chosen?.state === selected ? chosen.ids : null
  const choose = (next: ReadonlySet<string> | null) => setChosen(next && { state: selected, ids: next })
  const shownTabs = TABS.some(({ id }) => id === selected)
    ? TABS
    : [...TABS, { id: selected, label: capitalise(UPLOAD_STATE_NAMES[selected]) }]
  const tabs = shownTabs.map((tab) => ({ ...tab, count: counts.get(tab.id) }))

  const filter = {
    states,
    category: filters.category ?? null,
    institutionId: filters.institution ?? null,
    mine: filters.mine ?? false,
    since: filters.since ?? null,
    until: filters.until ?? null,
    unopened: filters.unopened ?? false,
    sender: filters.sender ?? null,
    late: filters.late ?? null,
    search,
  }
  const isFiltered = search !== '' || Object.keys(filters).length > 0
  const clear = () => {
    setText('')
    void showState(selected, {})
  }
  const showState = (state: UploadState, next: QueueFilters) =>
    navigate({
      search: state === 'in_review' ? next : { ...next, state: [state] },
      replace: state === selected,
      state: true,
    })

  return (
    <>
      <PageHeader
        title="Verificare"
        actions={
          <>
            <ExportButton
              name="incarcari"
              path={UPLOADS_EXPORT_PATH}
              filter={{ method: 'POST', body: filter }}
              isDisabled={isDebouncing}
            />
            {selected === 'in_review' && !isDebouncing && <StartButton filter={filter} />}
          </>
        }
      />
      <Tabs
        label="Starea"
        tabs={tabs}
        selected={selected}
        onSelect={(state) => void showState(state, filters)}
      >
        <QueueFilterBar
          filters={filters}
          text={text}
          onChange={(next) => void showState(selected, next)}
          onType={(typed) => {
            setSubmitted(false)
            setText(typed)
          }}
          onSubmit={() => {
            flush()
            setSubmitted(true)
          }}
          onClear={clear}
          isLoading={isDebouncing}
          actions={
            !ids && <IconButton icon="layers" label="Alege mai multe" onPress={() => choose(new Set())} />
          }
        />
        <Queue
          key={selected}
          filter={filter}
          isDebouncing={isDebouncing}
          isFiltered={isFiltered}
          isSubmitted={isSubmitted}
          onTaken={() => setSubmitted(false)}
          ids={ids}
          onChoose={choose}
          onClear={clear}
        />
      </Tabs>
    </>
  )
}

const capitalise = (word: string) => word.charAt(0).toLocaleUpperCase('ro') + word.slice(1)

/**
 * Links to the first upload of the list that the user may accept and has not accepted already. It has its place while the list
 * loads, since the whole list would move on a phone.
 */
function StartButton({ filter }: { filter: QueueFilter }) {
  const { data } = useQuery(QUEUE, { variables: filter, fetchPolicy: 'cache-only' })
  if (!data) {
    return (
      <Button variant="primary" icon="play" isDisabled>
        Începe verificarea
      </Button>
    )
  }
  const first = data.uploads.nodes.find(
    ({ firstAcceptance, can }) => !firstAcceptance?.isOwn && (can.accept || !can.decide),
  )
  if (!first) return null
  return (
    <LinkButton to="/uploads/$uploadId" params={{ uploadId: first.id }} variant="primary" icon="play">
      Începe verificarea
    </LinkButton>
  )
}

function Queue({
  filter,
  isDebouncing,
  isFiltered,
  isSubmitted,
  onTaken,
  ids,
  onChoose,
  onClear,
}: {
  filter: QueueFilter & { states: UploadState[] }
  isDebouncing: boolean
  isFiltered: boolean
  /** Whether Enter was pressed in the search: the first row of its result gets the focus, then `onTaken` is called. */
  isSubmitted: boolean
  onTaken: () => void
  ids: ReadonlySet<string> | null
  onChoose: (ids: ReadonlySet<string> | null) => void
  onClear: () => void
}) {
  const { page, isBusy, more, region } = useListQuery(QUEUE, (data) => data.uploads, {
    variables: filter,
    isDebouncing,
  })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isSubmitted || isBusy) return
    onTaken()
    list.current?.querySelector<HTMLElement>('.row-link')?.focus()
  })
  const rows = page?.nodes ?? null
  // What has left a loaded list is not changed unseen.
  const shown = isBusy || !ids ? null : rows?.filter(({ id }) => ids.has(id))
  useEffect(() => {
    if (shown && ids && shown.length < ids.size) onChoose(new Set(shown.map(({ id }) => id)))
  })
  const { freshIds } = useFreshUploads({
    rows,
    isBusy,
    readPage: async (first, after) => {
      const variables = { ...filter, first, after }
      const response = await client.query({ query: QUEUE, variables, fetchPolicy: 'no-cache' })
      return response.data!.uploads
    },
    onRead: (uploads) => client.writeQuery({ query: QUEUE, variables: filter, data: { uploads } }),
  })
  const state = filter.states[0]!

  return (
    <>
      <p role="status" className="mb-2 min-h-5 text-sm text-accent-ink empty:hidden">
        {freshIds.size > 0 ? counted(freshIds.size, 'încărcare nouă', 'încărcări noi') : null}
      </p>
      {ids && <SelectionBar ids={ids} rows={rows} filter={filter} onChange={onChoose} />}
      <p role="status" className="text-sm text-muted not-empty:mb-2">
        {!isBusy && isNear(page?.reasons) && NEAR_NAMES}
      </p>
      <div ref={list}>
        <ListRegion {...region}>
          <QueueTable
            rows={rows}
            reasons={page?.reasons}
            freshIds={freshIds}
            selection={ids && { ids, onChange: onChoose }}
            sinceLabel={SINCE_LABELS[state] ?? 'De când'}
            empty={isFiltered ? <NothingFound onClear={onClear} /> : <EmptyQueue state={state} />}
            more={more}
          />
        </ListRegion>
      </div>
    </>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon="search"
      title="Nicio încărcare găsită"
      action={<Button onPress={onClear}>Șterge filtrele</Button>}
    >
      Caută după alt nume sau după număr, ori renunță la filtre.
    </EmptyState>
  )
}

function EmptyQueue({ state }: { state: UploadState }) {
  if (state === 'in_review') {
    return (
      <EmptyState icon="check-circle" title="Ai terminat">
        Nicio încărcare nu așteaptă verificarea. Cele noi apar aici singure.
      </EmptyState>
    )
  }
  if (state === 'quarantined') {
    return (
      <EmptyState icon="shield-check" title="Nimic în carantină">
        Aici ajung încărcările cu fișiere care nu au trecut controlul automat.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="inbox" title="Nicio încărcare">
      Nu este nicio încărcare în această stare.
    </EmptyState>
  )
}
