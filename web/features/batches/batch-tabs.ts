import { counted } from '../../../shared/romania/romanian.ts'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import type { BatchHead } from './batches.queries.ts'

/** How many groups of a batch there are, filed or not. */
export const countAll = ({ counts: { waiting, sure, likely, none, conflict, filed } }: BatchHead): number =>
  waiting + sure + likely + none + conflict + filed

/** How many groups of a batch have files and were not filed. */
export const countRest = (batch: BatchHead): number =>
  countAll(batch) - batch.counts.filed - batch.counts.missing

/** Returns how many groups of a batch were filed, how many are left, and what became of the filed ones. */
export function describeFiled(batch: BatchHead): string {
  const { filed, released, rejected } = batch.counts
  const all = countAll(batch)
  const left = all - filed
  return [
    `${filed} din ${counted(all, 'grup trimis', 'grupuri trimise')}`,
    left > 0 && `${left} ${left === 1 ? 'rămas' : 'rămase'}`,
    released > 0 && `${released} ${released === 1 ? 'eliberat' : 'eliberate'}`,
    rejected > 0 && `${rejected} ${rejected === 1 ? 'respins' : 'respinse'}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

type Tab = { id: BatchFilter | 'all'; label: string; count: (batch: BatchHead) => number }
const tab = (id: BatchFilter, label: string): Tab => ({ id, label, count: ({ counts }) => counts[id] })
export const TABS: readonly Tab[] = [
  { id: 'all', label: 'Toate', count: countAll },
  tab('sure', 'Sigure'),
  tab('likely', 'Probabile'),
  tab('none', 'Necunoscute'),
  tab('conflict', 'Conflict'),
  tab('duplicate', 'Duplicate'),
  tab('unreadable', 'Necitibile'),
  tab('refused', 'Refuzate'),
  tab('waiting', 'În citire'),
  tab('filed', 'Trimise'),
]
