import { useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { client } from '../../api/client.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { useHistorySearch } from '../../ui/hooks/use-history-search.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { readPages } from '../uploads/read-pages.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { INBOX, type InboxFilter, type ResultLine } from './inbox.queries.ts'
import { ResultList } from './result-list.tsx'
import { useShowResults } from './shown-results.ts'

/** Lists the results released to the user's institutions, newest first. */
export function InboxTab({ unread, onUnread }: { unread: boolean; onUnread: (unread: boolean) => void }) {
  const { text, setText, search, isDebouncing } = useHistorySearch()
  const filter = { unread, search }
  const { page, isBusy, more, region } = useListQuery(INBOX, (data) => data.inbox, {
    variables: filter,
    isDebouncing,
  })
  const results = page?.nodes ?? null
  const arrived = useNewResults(filter, results)
  useShowResults(results, more)

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-2">
        <SearchField
          label="Căutați după numele pacientului"
          placeholder="Numele pacientului"
          value={text}
          onChange={setText}
          isLoading={isBusy}
          className="w-full sm:max-w-80"
        />
        <Checkbox isSelected={unread} onChange={onUnread}>
          Doar necitite
        </Checkbox>
        <p role="status" className="text-sm text-accent-ink">
          {arrived > 0 ? counted(arrived, 'rezultat nou', 'rezultate noi') : null}
        </p>
      </div>
      <ListRegion {...region}>
        {results?.length === 0 ? (
          <EmptyInbox
            isSearched={search !== ''}
            unread={unread}
            onShowAll={() => {
              setText('')
              onUnread(false)
            }}
          />
        ) : (
          <ResultList results={results} more={more} />
        )}
      </ListRegion>
    </>
  )
}

/** Keeps the list up to date and returns how many results have arrived since it was first shown. */
function useNewResults(filter: InboxFilter, results: readonly ResultLine[] | null): number {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const shownResults = useRef<readonly ResultLine[]>([])
  shownResults.current = results ?? []

  useLiveUploads(async (changed) => {
    const previousIds = new Set(shownResults.current.map(({ id }) => id))
    const inbox = await readPages(previousIds.size, async (first, after) => {
      const variables = { ...filter, first, after }
      const response = await client.query({ query: INBOX, variables, fetchPolicy: 'no-cache' })
      return response.data!.inbox
    }).catch(() => null)
    // If the request failed, the list stays as it is, and the next change repeats the request.
    if (!inbox) return
    client.writeQuery({ query: INBOX, variables: filter, data: { inbox } })
    const newIds = inbox.nodes.map(({ id }) => id).filter((id) => changed?.has(id) && !previousIds.has(id))
    if (newIds.length > 0) setArrived((ids) => new Set([...ids, ...newIds]))
  })
  return arrived.size
}

function EmptyInbox({
  isSearched,
  unread,
  onShowAll,
}: {
  isSearched: boolean
  unread: boolean
  onShowAll: () => void
}) {
  const showAll = <Button onPress={onShowAll}>Arată toate rezultatele</Button>
  if (isSearched) {
    return (
      <EmptyState icon="search" title="Niciun rezultat găsit" action={showAll}>
        Căutați după câteva litere din numele sau prenumele pacientului.
      </EmptyState>
    )
  }
  if (unread) {
    return (
      <EmptyState icon="check-circle" title="Ați citit toate rezultatele" action={showAll}>
        Cele noi apar aici de îndată ce sunt eliberate.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="inbox" title="Nu ați primit încă rezultate">
      Rezultatele pacienților trimiși de dumneavoastră apar aici de îndată ce sunt eliberate.
    </EmptyState>
  )
}
