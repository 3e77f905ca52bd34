import { LIMITS } from '../../../shared/limits.ts'

type Page<Node> = { nodes: Node[]; endCursor: string | null }

/**
 * Reads a list anew as far as it was read before (`withDetails` rows, one page at least), so that what is on the screen
 * neither shrinks nor jumps when it is put in its place.
 */
export async function readPages<Node>(
  shown: number,
  readPage: (first: number, after: string | null) => Promise<Page<Node>>,
): Promise<Page<Node>> {
  const nodes: Node[] = []
  let after: string | null = null
  do {
    const missing = Math.max(shown, LIMITS.pageSize) - nodes.length
    const page: Page<Node> = await readPage(Math.min(missing, LIMITS.pageSizeMax), after)
    nodes.push(...page.nodes)
    after = page.endCursor
  } while (after !== null && nodes.length < shown)
  return { nodes, endCursor: after }
}
