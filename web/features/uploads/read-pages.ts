import { LIMITS } from '../../../shared/limits.ts'

type Page<Node> = { nodes: Node[]; endCursor: string | null }

/**
 * Reloads a list with as many rows as are shown (`shown`, at least one page), so that the list neither
 * shrinks nor jumps when it is replaced.
 */
export async function readPages<Node>(
  shownCount: number,
  readPage: (first: number, after: string | null) => Promise<Page<Node>>,
): Promise<Page<Node>> {
  const nodes: Node[] = []
  let after: string | null = null
  do {
    const missing = Math.max(shownCount, LIMITS.pageSize) - nodes.length
    const page: Page<Node> = await readPage(Math.min(missing, LIMITS.pageSizeMax), after)
    nodes.push(...page.nodes)
    after = page.endCursor
  } while (after !== null && nodes.length < shownCount)
  return { nodes, endCursor: after }
}
