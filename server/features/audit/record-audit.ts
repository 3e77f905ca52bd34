import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { auditDatabase, type Ctx } from '../../context.ts'
import { createBatcherPerPool } from '../../platform/database/batcher.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AuditEventRow, insertAuditEvents } from './audit.db.ts'
import { maskChanges } from './mask-changes.ts'

export type AuditEntry = {
  action: AuditAction
  subject?: { type: string; id: string }
  /** The rows that a list showed. */
  subjectIds?: readonly string[]
  patientId?: string | null
  outcome?: 'ok' | 'denied' | 'failed'
  /** Changed fields by name; never a password or a token. CNPs in the texts are masked. */
  changes?: Record<string, { from?: unknown; to?: unknown }>
}

/** Entries of concurrent requests share one statement and one write to disk. */
const record = createBatcherPerPool(async (db: Db, rows: readonly AuditEventRow[]) => {
  await insertAuditEvents(db, rows)
  return rows
})

/**
 * Writes one entry of the audit log. Inside a transaction it commits or rolls back with the change; for a
 * read, callers await it before they respond, so that nothing is shown that could not be recorded.
 */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const row = toRow(ctx, entry)
  const db = auditDatabase(ctx)
  if (db.isTransaction) await insertAuditEvents(db, [row])
  else await record(db, row)
}

/** Writes many entries of a transaction with one statement. */
export async function recordAudits(tx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await insertAuditEvents(
    tx.db,
    entries.map((entry) => toRow(tx, entry)),
  )
}

// For a statement of another feature that adds the rows of `describeAudit` beside its own work.
export { addAuditRows } from './audit.db.ts'

/** Returns the entry as the row that a statement of another feature adds to the log, in JSON. */
export const describeAudit = (ctx: Ctx, entry: AuditEntry): string => JSON.stringify([toRow(ctx, entry)])

function toRow({ actor, request }: Ctx, entry: AuditEntry): AuditEventRow {
  return {
    actor_id: actor.kind === 'user' || actor.kind === 'integration' ? actor.id : null,
    actor_name: actor.kind === 'anonymous' ? '' : actor.name,
    role: actor.kind === 'user' ? actor.role : null,
    origin: request.origin,
    action: entry.action,
    subject_type: entry.subject?.type ?? null,
    subject_id: entry.subject?.id ?? null,
    subject_ids: entry.subjectIds ?? null,
    patient_id: entry.patientId ?? null,
    outcome: entry.outcome ?? 'ok',
    changes: entry.changes ? (maskChanges(entry.changes) as object) : null,
    ip: request.ip,
    user_agent: request.userAgent,
    request_id: request.id,
  }
}
