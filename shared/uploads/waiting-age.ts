import type { UploadState } from './upload-state-list.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** From which age on an upload that waits for somebody is late, and overdue. */
export const WAITING_LIMITS_MS = { late: DAY_MS, overdue: 3 * DAY_MS } as const

/** The states that end only when somebody does something; a waiting release ends by itself. */
const NEEDS_SOMEBODY: ReadonlySet<UploadState> = new Set([
  'in_review',
  'unassigned',
  'rejected',
  'quarantined',
])

export type WaitingAge = 'fresh' | 'late' | 'overdue'

/** Returns whether an upload has been too long in its state; `fresh` for one that waits for nobody. */
export function readWaitingAge(state: UploadState, since: string, now: number): WaitingAge {
  if (!NEEDS_SOMEBODY.has(state)) return 'fresh'
  const elapsed = now - Date.parse(since)
  if (elapsed >= WAITING_LIMITS_MS.overdue) return 'overdue'
  return elapsed >= WAITING_LIMITS_MS.late ? 'late' : 'fresh'
}
