import { useRef, useState } from 'react'
import { type Page, readPages } from './read-pages.ts'
import { useLiveUploads } from './use-live-uploads.ts'

/**
 * Keeps a list up to date while others work: reads the shown pages again and replaces them, so that neither the scroll
 * position nor the focus moves. Returns the ids that have arrived since the list was first shown.
 */
export function useFreshUploads<Row extends { id: string }, P extends Page<Row>>({
  rows,
  isBusy,
  readPage,
  onRead,
  isFresh = () => true,
}: {
  rows: readonly Row[] | null
  /** Whether `rows` may be those of an earlier filter. */
  isBusy: boolean
  /** Reads a page from the server, past the cache. */
  readPage: (first: number, after: string | null) => Promise<P>
  /** Called with what replaces the list. */
  onRead: (page: P) => void
  /** Whether a row that arrives counts as new. */
  isFresh?: (row: Row) => boolean
}) {
  const [freshIds, setFreshIds] = useState<ReadonlySet<string>>(new Set())
  // While a list loads, the previous one is shown: compared with that, rows of the new one would all seem to arrive.
  const loaded = useRef<readonly Row[] | null>(null)
  loaded.current = isBusy ? null : rows
  // A row that left and comes back, as a reopened result, does not arrive.
  const knownIds = useRef(new Set<string>())

  const reload = async (changed: ReadonlySet<string> | null) => {
    const previous = loaded.current
    for (const { id } of previous ?? []) knownIds.current.add(id)
    const page = await readPages(previous?.length ?? 0, readPage).catch(() => null)
    // If the request failed, the list stays as it is, and the next change repeats the request.
    if (!page) return
    onRead(page)
    if (!previous) return
    // A row may also have moved up because another was removed; only a changed upload counts as new.
    const arrived = page.nodes.filter(
      (row) => changed?.has(row.id) && !knownIds.current.has(row.id) && isFresh(row),
    )
    if (arrived.length > 0) setFreshIds((ids) => new Set([...ids, ...arrived.map(({ id }) => id)]))
  }
  useLiveUploads(reload)

  return { freshIds, reload: () => void reload(null), forget: () => setFreshIds(new Set()) }
}
