import type { AuditAction } from './audit-actions.ts'

/** What the dashboard counts of each person, with the action whose entries in the audit log it counts. */
export const WORK_ACTIONS = {
  filed: 'upload.submit',
  accepted: 'upload.accept',
  rejected: 'upload.reject',
} as const satisfies Record<string, AuditAction>
export type WorkCounts = Record<keyof typeof WORK_ACTIONS, number>
