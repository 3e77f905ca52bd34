import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { canReadWholeJournal } from './audit.access.ts'
import { type AuditRow, selectAuditEvents } from './audit.db.ts'
import { readAuditFilter } from './audit-filter.ts'
import { keysOfEntry } from './list-audit-events.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Who opened, downloaded or changed what of this patient, newest first, from the rows of the journal. Administrators only,
 * as the whole journal is; asking is an entry about the patient too.
 */
export async function listPatientAccess(
  ctx: UserCtx,
  { patientId, ...args }: PageArgs & { patientId: string },
): Promise<Page<AuditRow>> {
  if (!canReadWholeJournal(ctx.actor)) throw forbidden('read who saw a patient')
  const request = parsePage(args, 2)
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
