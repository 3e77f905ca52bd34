import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { canReadWholeAuditLog } from './audit.access.ts'
import { type AuditRow, selectAuditEvents } from './audit.db.ts'
import { readAuditFilter } from './audit-filter.ts'
import { keysOfEntry, readAuditPages } from './list-audit-events.ts'
import { recordAudit } from './record-audit.ts'

/** Yields in pages who opened, downloaded or changed data of this patient, newest first, for administrators. The caller records it. */
export async function* readPatientAccess(ctx: UserCtx, patientId: string): AsyncGenerator<AuditRow[]> {
  if (!canReadWholeAuditLog(ctx.actor)) throw forbidden('read who saw a patient')
  const filter = readAuditFilter(ctx.actor, { patientId })
  if (filter) yield* readAuditPages(ctx.db, filter)
}

/**
 * Returns who opened, downloaded or changed data of this patient, newest first, for administrators. The
 * reading is recorded as an entry about the patient.
 */
export async function listPatientAccess(
  ctx: UserCtx,
  { patientId, ...args }: PageArgs & { patientId: string },
): Promise<Page<AuditRow>> {
  if (!canReadWholeAuditLog(ctx.actor)) throw forbidden('read who saw a patient')
  const request = parsePage(args)
  const filter = isId(patientId) ? readAuditFilter(ctx.actor, { patientId }) : null
  if (!filter) return { nodes: [], endCursor: null }
  const rows = await selectAuditEvents(ctx.db, filter, request)
  await recordAudit(ctx, {
    action: 'patient.read-access',
    subject: { type: 'patient', id: patientId },
    patientId,
  })
  return toPage(rows, request, keysOfEntry)
}
