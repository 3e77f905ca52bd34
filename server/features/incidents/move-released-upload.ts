import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnps, todayInRomania } from '../../../shared/romania/cnp.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { optionalPastDay, parseInput, requiredText } from '../../validation.ts'
import { type Move, moveToPatient } from '../uploads/released/move-to-patient.ts'
import { canReview, releaseTimeOf } from '../uploads/uploads.access.ts'
import { type IncidentRow, selectDayStart } from './incidents.db.ts'
import { openIncident } from './open-incident.ts'

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
    return openIncident(tx, {
      before,
      patientId: after.patient_id!,
      openings,
      reason,
      discoveredAt: await findDiscovery(tx, discoveredOn, releaseTimeOf(before)),
      movedBy: tx.actor.id,
    })
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
