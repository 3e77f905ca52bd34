import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import type { Ctx } from '../../context.ts'
import { batchPerPool } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AuditEventRow, insertAuditEvents } from './audit.db.ts'
import { maskChanges } from './mask-changes.ts'

export type AuditEntry = {
  action: AuditAction
  subject?: { type: string; id: string }
  /** The rows a list showed. */
  subjectIds?: readonly string[]
  patientId?: string | null
  outcome?: 'ok' | 'denied' | 'failed'
  /** Changed fields by name; never a password or a token. CNPs in their texts are masked. */
  changes?: Record<string, { from?: unknown; to?: unknown }>
}

/** Entries of requests that are under way at the same time share a statement and its way to the disk. */
const record = batchPerPool(async (db: Db, rows: readonly AuditEventRow[]) => {
  await insertAuditEvents(db, rows)
  return rows
})

/**
 * Writes one row of the journal. Inside a transaction it stands or falls with the change; for a read it is awaited
 * before the answer leaves, so what cannot be recorded is not shown.
 */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { actor, request } = ctx
  const row = {
    actor_id: actor.kind === 'user' ? actor.id : null,
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
  if (ctx.db.isTransaction) await insertAuditEvents(ctx.db, [row])
  else await record(ctx.db, row)
}
