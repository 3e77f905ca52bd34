import { describe, expect, it } from 'vitest'
import { readPages } from './read-pages.ts'

/**
 * Returns a paged list of `length` numbers, each with a reason, whose cursor is the position reached, and its recorded requests.
 */
function listOf(length: number) {
  const requested: number[] = []
  const readPage = async (first: number, after: string | null) => {
    requested.push(first)
    const start = Number(after ?? 0)
    const end = Math.min(length, start + first)
    const nodes = Array.from({ length: end - start }, (_, index) => start + index)
    const reasons = nodes.map((node) => `reason ${node}`)
    return { nodes, reasons, endCursor: end < length ? String(end) : null, isCut: true }
  }
  return { requested, readPage }
}

describe('readPages', () => {
  it('reads one page if only one was shown', async () => {
    const { requested, readPage } = listOf(500)
    const page = await readPages(3, readPage)
    expect(page.nodes).toHaveLength(50)
    expect(page.endCursor).toBe('50')
    expect(requested).toEqual([50])
  })

  it('reads as many rows as were shown, at most a hundred per request', async () => {
    const { requested, readPage } = listOf(500)
    const page = await readPages(250, readPage)
    expect(page.nodes).toEqual(Array.from({ length: 250 }, (_, index) => index))
    expect(page.endCursor).toBe('250')
    expect(requested).toEqual([100, 100, 50])
  })

  it('returns the reasons of all rows, and all else of the last page', async () => {
    const page = await readPages(250, listOf(500).readPage)
    expect(page.reasons).toEqual(page.nodes.map((node) => `reason ${node}`))
    expect(page.isCut).toBe(true)
  })

  it('stops if the list has become shorter', async () => {
    const { readPage } = listOf(120)
    const page = await readPages(250, readPage)
    expect(page.nodes).toHaveLength(120)
    expect(page.endCursor).toBeNull()
  })
})
