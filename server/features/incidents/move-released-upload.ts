import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnps, todayInRomania } from '../../../shared/romania/cnp.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { optionalPastDay, parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Move, moveToPatient } from '../uploads/released/move-to-patient.ts'
import { canReview } from '../uploads/uploads.access.ts'
import { askToDelete } from './ask-to-delete.ts'
import { type IncidentRow, insertIncident, selectDayStart, selectIncident } from './incidents.db.ts'

const schema = z.object({
  reason: requiredText('Motivul', LIMITS.shortText),
  discoveredOn: optionalPastDay('Ziua în care s-a aflat'),
})

type MoveInput = Move & { reason: string; discoveredOn?: string | null | undefined }

/**
 * Moves a released upload to the patient to whom it belongs, opens an incident with what is known of it, and asks the
 * institutions whose users opened the upload to delete what they have: all of it or nothing. Throws like `moveToPatient`,
 * and BAD_USER_INPUT without a reason or with a discovery before the release or in the future.
 */
export function moveReleasedUpload(ctx: UserCtx, input: MoveInput): Promise<IncidentRow> {
  if (!canReview(ctx.actor)) throw forbidden('move upload')
  const { reason: written, discoveredOn } = parseInput(schema, input)
  const reason = maskCnps(written)
  return inTransaction(ctx, async (tx) => {
    const { before, after, openings } = await moveToPatient(tx, input, reason)
    const releasedAt = before.released_at ?? before.state_since
    const id = newId()
    await insertIncident(tx.db, {
      id,
      upload_id: before.id,
      former_patient_id: before.patient_id!,
      patient_id: after.patient_id!,
      former_institution_id: before.institution_id,
      category: before.category_name,
      file_count: before.file_count ?? 0,
      released_at: releasedAt,
      moved_at: tx.now,
      moved_by: tx.actor.id,
      reason,
      discovered_at: await findDiscovery(tx, discoveredOn, releasedAt),
      openings: JSON.stringify(openings),
    })
    await recordAudit(tx, {
      action: 'incident.open',
      subject: { type: 'incident', id },
      changes: { upload_number: { to: before.number }, openings: { to: openings.length } },
    })
    await askToDelete(tx, { incidentId: id, uploadNumber: before.number, releasedAt, openings })
    const incident = await selectIncident(tx.db, id)
    if (!incident) throw notFound('incident')
    return incident
  })
}

/** Returns now for a discovery of today, and else the beginning of the day, since the hour is not known. */
async function findDiscovery(tx: UserCtx, day: string | null, releasedAt: Date): Promise<Date> {
  if (day === null || day === todayInRomania(tx.now)) return tx.now
  if (day < todayInRomania(releasedAt)) {
    throw invalid([{ field: 'discoveredOn', message: 'Încărcarea nu era eliberată atunci.' }])
  }
  const start = await selectDayStart(tx.db, day)
  return start < releasedAt ? releasedAt : start
}
