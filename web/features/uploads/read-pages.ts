import { LIMITS } from '../../../shared/limits.ts'
import { appendPage } from '../../api/type-policies.ts'

export type Page<Row = unknown> = { nodes: readonly Row[]; endCursor: string | null }

/**
 * Reloads a list with as many rows as are shown (`shownCount`, at least one page), so that the list neither shrinks nor jumps
 * when it is replaced. Returns all that the pages have, since the cache would load an incomplete list again.
 */
export async function readPages<P extends Page>(
  shownCount: number,
  readPage: (first: number, after: string | null) => Promise<P>,
): Promise<P> {
  const read = (missing: number, after: string | null) =>
    readPage(Math.min(missing, LIMITS.pageSizeMax), after)
  let page = await read(Math.max(shownCount, LIMITS.pageSize), null)
  while (page.endCursor !== null && page.nodes.length < shownCount)
    page = appendPage(page, await read(shownCount - page.nodes.length, page.endCursor))
  return page
}
