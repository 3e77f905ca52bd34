import { formatMoment } from '../../../shared/romania/moment.ts'
import type { UserCtx } from '../../context.ts'
import { writeDocument } from '../../platform/pdf/write-document.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { listNotes, listRequestsOf } from './change-incident.ts'
import { describeIncident } from './describe-incident.ts'
import { getIncident } from './find-incident.ts'

/** Returns the report of an incident as PDF, for administrators and reviewers. The download is recorded. */
export async function writeIncidentReport(
  ctx: UserCtx,
  id: string,
): Promise<{ number: number; bytes: Buffer }> {
  const incident = await getIncident(ctx, id)
  const [requests, notes, site] = [
    await listRequestsOf(ctx, incident),
    await listNotes(ctx, incident),
    await findSite(ctx.db),
  ]
  const bytes = await writeDocument({
    title: `Raport de incident nr. ${incident.number}`,
    subtitle: `${site.name}. Întocmit pe ${formatMoment(ctx.now)}.`,
    author: site.name,
    at: ctx.now,
    sections: describeIncident({ incident, requests, notes }),
  })
  await recordAudit(ctx, { action: 'incident.report', subject: { type: 'incident', id } })
  return { number: incident.number, bytes }
}
