import { expect, it } from 'vitest'
import { LIMITS } from '../../../shared/limits.ts'
import { readPages } from './read-pages.ts'

/** Answers as a list of `count` rows, of which each has a reason. */
const serve = (count: number) => async (first: number, after: string | null) => {
  const from = Number(after ?? 0)
  const to = Math.min(count, from + first)
  const nodes = Array.from({ length: to - from }, (_, place) => ({ id: String(from + place) }))
  const reasons = nodes.map(({ id }) => ({ rowId: id }))
  return { nodes, reasons, endCursor: to < count ? String(to) : null, isCut: true }
}

it('reads as many rows as are shown, over several pages, with their reasons and all else of the last page', async () => {
  const shown = 2 * LIMITS.pageSizeMax + 3
  const page = await readPages(shown, serve(1_000))
  expect(page.nodes.map(({ id }) => Number(id))).toEqual(Array.from({ length: shown }, (_, id) => id))
  expect(page.reasons).toHaveLength(shown)
  expect(page).toMatchObject({ endCursor: String(shown), isCut: true })
})

it('reads one page at least, and no more where the list ends', async () => {
  expect((await readPages(1, serve(1_000))).nodes).toHaveLength(LIMITS.pageSize)
  expect(await readPages(300, serve(7))).toMatchObject({ endCursor: null, nodes: { length: 7 } })
})
