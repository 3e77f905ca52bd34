/** One node of the result of EXPLAIN (FORMAT JSON). */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Strategy?: string
  'Parent Relationship'?: string
  'Plan Rows': number
  'Total Cost': number
  Plans?: PlanNode[]
}

export type FaultKind = 'scan' | 'sort' | 'reads'
export type PlanFault = { kind: FaultKind; text: string }

/** Several pages of any list: one of each of several index ranges. */
const MAX_SORTED_ROWS = 300
/** More than the rows that a search collects at most. */
const MAX_READ_ROWS = 3_000

/**
 * Returns what makes a plan slower as the tables grow: a full scan of a table for which `isLarge` is true, a sort of more
 * than a few pages, or a node that returns more rows than any page or search needs, as far as its parents read them.
 */
export function findPlanFaults(plan: PlanNode, isLarge: (table: string) => boolean): PlanFault[] {
  const faults: PlanFault[] = []
  const visit = (node: PlanNode, share: number, times: number): void => {
    const [first, second, ...others] = [...ownPlans(node)]
    const rows = node['Plan Rows'] * share * times
    const name = [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ')
    if (node['Node Type'] === 'Seq Scan' && isLarge(node['Relation Name'] ?? ''))
      faults.push({ kind: 'scan', text: name })
    if (node['Node Type'] === 'Sort' && first && first['Plan Rows'] > MAX_SORTED_ROWS)
      faults.push({ kind: 'sort', text: `${name}: ${first['Plan Rows']} rows` })
    if (rows > MAX_READ_ROWS) faults.push({ kind: 'reads', text: `${name}: ${Math.round(rows)} rows` })

    const taken = Math.max(node['Plan Rows'] * share, 1)
    for (const sub of node.Plans ?? []) {
      if (sub['Parent Relationship'] === 'InitPlan') visit(sub, 1, 1)
      if (sub['Parent Relationship'] === 'SubPlan') visit(sub, 1, times * taken)
    }
    if (!first) return
    if (node['Node Type'] === 'Limit') {
      visit(first, share * Math.min(1, node['Plan Rows'] / Math.max(first['Plan Rows'], 1)), times)
    } else if (node['Node Type'] === 'Nested Loop' && second) {
      visit(first, share, times)
      const isKept = /Materialize|Memoize/.test(second['Node Type'])
      visit(second, 1, isKept ? times : times * Math.max(first['Plan Rows'] * share, 1))
    } else {
      visit(first, takesAll(node) ? 1 : share, times)
      for (const each of [second, ...others])
        if (each) visit(each, node['Node Type'] === 'Hash Join' || takesAll(node) ? 1 : share, times)
    }
  }
  visit(plan, 1, 1)
  return faults
}

/** Returns the plans whose rows a node reads, without its sub-plans. */
const ownPlans = (node: PlanNode) =>
  (node.Plans ?? []).filter((sub) => !/^(InitPlan|SubPlan)$/.test(sub['Parent Relationship'] ?? ''))

/** Whether the node reads all of its rows before it returns the first. */
const takesAll = (node: PlanNode) =>
  /^(Sort|Incremental Sort|Hash|Materialize)$/.test(node['Node Type']) ||
  (node['Node Type'] === 'Aggregate' && node.Strategy !== 'Sorted')
