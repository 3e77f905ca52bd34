import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnps, todayInRomania } from '../../../shared/romania/cnp.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { optionalPastDay, parseInput, requiredText } from '../../validation.ts'
import { type Move, type MovedVersion, moveToPatient } from '../uploads/released/move-to-patient.ts'
import { canReview, releaseTimeOf, wasReleased } from '../uploads/uploads.access.ts'
import { type IncidentRow, selectDayStart } from './incidents.db.ts'
import { openIncident } from './open-incident.ts'

const schema = z.object({
  reason: requiredText('Motivul', LIMITS.shortText),
  discoveredOn: optionalPastDay('Ziua în care s-a aflat'),
})

type MoveInput = Move & { reason: string; discoveredOn?: string | null | undefined }

/**
 * Moves an upload to the patient to whom it belongs after its verdict. If it was released, opens an incident with what is
 * known of it, and asks the institutions whose users opened it, or another version that moves along, to delete what they
 * have: all of it or nothing. Returns that incident. Throws like `moveToPatient`, and BAD_USER_INPUT without a reason or
 * with a discovery before the release or in the future.
 */
export function moveReleasedUpload(ctx: UserCtx, input: MoveInput): Promise<IncidentRow | null> {
  if (!canReview(ctx.actor)) throw forbidden('move upload')
  const { reason: written, discoveredOn } = parseInput(schema, input)
  const reason = maskCnps(written)
  return inTransaction(ctx, async (tx) => {
    const [moved, ...others] = await moveToPatient(tx, input, reason)
    if (!wasReleased(moved.before)) return null
    const discoveredAt = await findDiscovery(tx, discoveredOn, releaseTimeOf(moved.before))
    const open = (version: MovedVersion) =>
      openIncident(tx, { ...version, reason, discoveredAt, movedBy: tx.actor.id })
    for (const other of others) if (other.openings.length > 0) await open(other)
    return open(moved)
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
