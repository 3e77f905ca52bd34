import { useMemo, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { ALL_DEPARTMENTS } from '../../../shared/uploads/inbox.ts'
import { NEAR_NAMES } from '../../lists/search-reasons.tsx'
import { Button, IconButton } from '../../ui/base/button.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { ShortcutsDialog } from '../../ui/overlays/shortcuts-dialog.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { useNow } from '../uploads/use-now.ts'
import { EmptyInbox } from './empty-inbox.tsx'
import { InboxFilterBar } from './filters/inbox-filter-bar.tsx'
import { variablesOf, withFilter } from './filters/inbox-filters.ts'
import { useInboxFilters } from './filters/use-inbox-filters.ts'
import { INBOX_SHORTCUTS, type InboxCommand } from './inbox-keys.ts'
import { InboxTable } from './inbox-table.tsx'
import { InboxViews } from './inbox-views.tsx'
import { useShowResults } from './result/shown-results.ts'
import { groupsOf, inOrder } from './result-groups.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useInbox } from './use-inbox.ts'
import { describeOlder } from './use-inbox-counts.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { undoOf, useMarks } from './use-marks.ts'
import { useMemberships } from './use-memberships.ts'
import { useRowCursor } from './use-row-cursor.ts'
import { useSelection } from './use-selection.ts'

const NOT_OWN = 'Ce a preluat un coleg se eliberează din bara de acțiuni, după ce alegeți rezultatul.'

type Counts = { open: number; new: number; mine: number; older: number }

/** The work list of an institution: the results released to it, newest first, with marks that all colleagues share. */
export function InboxTab({ counts }: { counts: Counts | null }) {
  const { filters, setFilters } = useInboxFilters()
  const { text, setText, search, isDebouncing } = useHistorySearch()
  const { results, isNear, isBusy, more, region, reload, arrived, forgetArrived } = useInbox(
    variablesOf(filters, search),
    isDebouncing,
  )
  const memberships = useMemberships()
  const now = useNow()
  const groups = useMemo(
    () => results && groupsOf(results, { search, isNear, now: new Date(now) }),
    [results, search, isNear, now],
  )
  const ordered = useMemo(() => groups && inOrder(groups), [groups])
  useShowResults(ordered, more)
  const ids = ordered?.map(({ id }) => id) ?? []
  const selection = useSelection(ids, ordered !== null && !isBusy)
  const [areFiltersOpen, openFilters] = useState(false)
  const [areKeysShown, showKeys] = useState(false)
  const list = useRef<HTMLTableElement>(null)
  const field = useRef<HTMLDivElement>(null)
  const cursor = useRowCursor(list, ids)
  const { mark, undoLast } = useMarks(reload)
  const hasOwnDepartment = memberships?.some(({ departmentId }) => departmentId !== null) ?? false
  const clear = () => {
    setText('')
    setFilters({})
  }
  const showAll = () => {
    setText('')
    setFilters(hasOwnDepartment ? { department: ALL_DEPARTMENTS } : {})
  }

  useInboxKeys((command) => {
    if (command === 'help') showKeys(true)
    else if (command === 'search') field.current?.querySelector('input')?.focus()
    else if (command === 'clear') selection.setAll(false)
    else if (command === 'next') cursor.step(1)
    else if (command === 'previous') cursor.step(-1)
    else if (command === 'select' || command === 'select-range') {
      const id = cursor.current()
      if (id) selection.toggle(id, command === 'select-range')
    } else act(command)
  })
  /** Marks the chosen results or, if none is chosen, the one under the cursor. */
  const act = (command: Extract<InboxCommand, 'handle' | 'take' | 'undo'>) => {
    cursor.follow()
    const current = cursor.current()
    const acted = selection.ids.length > 0 ? selection.ids : current ? [current] : []
    if (command === 'undo') {
      // What a colleague has handled stays handled while there is an own mark to take back.
      const justMarked = undoLast(acted)
      if (justMarked) return justMarked()
      const undo = undoOf(results?.filter(({ id }) => acted.includes(id)) ?? [])
      if (undo) return void mark(undo.ids, undo.kind)
      // A result that was handled may have left the list.
      const last = undoLast()
      if (last) return last()
    }
    if (acted.length === 0 || selection.isTooLarge) return
    if (command !== 'undo') void mark(acted, command)
    else showToast({ tone: 'info', title: 'Nimic de redeschis', description: NOT_OWN })
  }

  return (
    <>
      <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2 print:hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <InboxViews
            view={filters.view ?? 'all'}
            counts={counts}
            onChange={(view) => setFilters(withFilter(filters, 'view', view === 'all' ? null : view))}
          />
          <div ref={field} className="min-w-40 flex-1 sm:max-w-72">
            <SearchField
              label="Căutați după pacient, examinare, medic sau număr"
              placeholder="Nume, CNP, examinare"
              value={text}
              onChange={setText}
              isLoading={isBusy}
            />
          </div>
          <Button icon="filter" aria-expanded={areFiltersOpen} onPress={() => openFilters(!areFiltersOpen)}>
            Filtre
          </Button>
          <span className="ml-auto flex">
            <IconButton icon="printer" label="Tipărește lista" onPress={() => window.print()} />
            <IconButton
              icon="keyboard"
              label="Arată tastele"
              className="pointer-coarse:hidden"
              onPress={() => showKeys(true)}
            />
          </span>
        </div>
        <InboxFilterBar
          isOpen={areFiltersOpen}
          filters={filters}
          memberships={memberships}
          onChange={setFilters}
          onClear={clear}
        />
        <p role="status" className="empty:hidden">
          {arrived.length > 0 && (
            <Button
              icon="arrow-down"
              onPress={() => {
                cursor.focus(arrived[0]?.id)
                forgetArrived()
              }}
            >
              {counted(arrived.length, 'rezultat nou', 'rezultate noi')}
            </Button>
          )}
        </p>
      </div>
      <p role="status" className="text-sm text-muted not-empty:mb-2">
        {isNear && NEAR_NAMES}
      </p>
      {filters.view === 'open' && counts !== null && counts.older > 0 && (
        <p className="mb-2 flex flex-wrap items-center gap-x-2 text-sm text-muted print:hidden">
          {describeOlder(counts.older)}
          <Button variant="quiet" onPress={() => setFilters(withFilter(filters, 'view', 'older'))}>
            Arată-le
          </Button>
        </p>
      )}
      <ListRegion {...region}>
        {results?.length === 0 ? (
          <EmptyInbox
            filters={filters}
            isNarrowed={search !== '' || (hasOwnDepartment && !filters.department && !filters.view)}
            onShowAll={showAll}
          />
        ) : (
          <InboxTable
            ref={list}
            groups={groups}
            selection={selection}
            hasInstitutions={(memberships?.length ?? 0) > 1}
            onFocus={cursor.onFocus}
            more={more}
          />
        )}
      </ListRegion>
      <SelectionBar
        selection={selection}
        view={filters.view}
        onMark={(kind) => {
          cursor.follow()
          void mark(selection.ids, kind)
        }}
      />
      <ShortcutsDialog
        shortcuts={INBOX_SHORTCUTS}
        note="Cât timp scrieți într-un câmp, tastele scriu."
        isOpen={areKeysShown}
        onClose={() => showKeys(false)}
      />
    </>
  )
}
