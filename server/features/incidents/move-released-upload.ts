import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import {
  ACCEPT_MESSAGES,
  ACCEPT_REASON_NAMES,
  ACCEPT_REASONS,
  type AcceptReason,
} from '../../../shared/reviews/accept-reasons.ts'
import { COMPARED_FACT_NAMES, describeHolds, type Hold } from '../../../shared/reviews/holds.ts'
import { maskCnps } from '../../../shared/romania/cnp.ts'
import { dayInRomania } from '../../../shared/romania/day.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, invalidState } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { optionalOneOf, optionalPastDay, optionalText, parseInput, requiredText } from '../../validation.ts'
import type { AuditEntry } from '../audit/record-audit.ts'
import { type Move, type MovedVersion, moveToPatient } from '../uploads/released/move-to-patient.ts'
import { canReview, releaseTimeOf, wasReleased } from '../uploads/uploads.access.ts'
import { compareMove } from './compare-move.ts'
import { type IncidentRow, insertNote, selectDayStart } from './incidents.db.ts'
import { openIncident } from './open-incident.ts'

const schema = z.object({
  reason: requiredText('Motivul', LIMITS.shortText),
  discoveredOn: optionalPastDay('Ziua în care s-a aflat'),
  despite: optionalOneOf('Motivul', ACCEPT_REASONS),
  despiteComment: optionalText('Explicația'),
})

type MoveInput = Move & {
  reason: string
  discoveredOn?: string | null | undefined
  despite?: string | null | undefined
  despiteComment?: string | null | undefined
}

/**
 * Moves an upload to the patient to whom it belongs after its verdict. If it was released, opens an incident with what
 * is known of it, and asks the institutions whose users opened it, or another version that moves along, to delete what
 * they have: all of it or nothing. Returns that incident. Throws like `moveToPatient`, BAD_USER_INPUT without a reason
 * or with a discovery before the release or in the future, and CONFLICT if the files name another person and no reason
 * is given.
 */
export function moveReleasedUpload(ctx: UserCtx, input: MoveInput): Promise<IncidentRow | null> {
  if (!canReview(ctx.actor)) throw forbidden('move upload')
  const { reason: written, discoveredOn, despite: code, despiteComment } = parseInput(schema, input)
  const reason = maskCnps(written)
  const explanation = code && despiteComment ? { code, text: maskCnps(despiteComment) } : null
  return inTransaction(ctx, async (tx) => {
    let holds: Hold[] = []
    const [moved, ...others] = await moveToPatient(tx, input, async (upload) => {
      holds = (await compareMove(tx, upload, input.patientId)).holds
      if (holds.length > 0 && !explanation) throw disagreeing(holds)
      return { reason: { to: reason }, ...(explanation && describeDespite(holds, explanation)) }
    })
    if (!wasReleased(moved.before)) return null
    const discoveredAt = await findDiscovery(tx, discoveredOn, releaseTimeOf(moved.before))
    const open = (version: MovedVersion) =>
      openIncident(tx, { ...version, reason, discoveredAt, movedBy: tx.actor.id })
    for (const other of others) if (other.openings.length > 0) await open(other)
    const incident = await open(moved)
    if (holds.length > 0 && explanation) await noteDespite(tx, incident, holds, explanation)
    return incident
  })
}

/** Why the files are of the chosen patient although they name another person. */
type Explanation = { code: AcceptReason; text: string }

/** An error with a sentence for each fact that disagrees with the chosen patient. */
const disagreeing = (holds: readonly Hold[]) => {
  const sentences = [...describeHolds(holds), ACCEPT_MESSAGES.reason, ACCEPT_MESSAGES.comment]
  return invalidState('files disagree with the chosen patient', sentences.join(' '))
}

const describeDespite = (holds: readonly Hold[], { code, text }: Explanation): AuditEntry['changes'] =>
  holds.length === 0
    ? {}
    : { disagreeing: { to: describeHolds(holds) }, accept_reason: { to: code }, note: { to: text } }

/** Without names of files, which may be those of patients. */
async function noteDespite(
  tx: UserCtx,
  { id }: IncidentRow,
  holds: readonly Hold[],
  { code, text }: Explanation,
): Promise<void> {
  const facts = new Set(holds.map(({ what }) => COMPARED_FACT_NAMES[what ?? 'cnp']))
  await insertNote(tx.db, {
    id: newId(),
    incident_id: id,
    text: `În fișiere scrie altceva decât la pacientul ales (${[...facts].join(', ')}). ${ACCEPT_REASON_NAMES[code]}: ${text}`,
    created_by: tx.actor.id,
    created_at: tx.now,
  })
}

/** Returns now for a discovery of today, and else the beginning of the day, since the hour is not known. */
async function findDiscovery(tx: UserCtx, day: string | null, releasedAt: Date): Promise<Date> {
  if (day === null || day === dayInRomania(tx.now)) return tx.now
  if (day < dayInRomania(releasedAt)) {
    throw invalid([{ field: 'discoveredOn', message: 'Încărcarea nu era eliberată atunci.' }])
  }
  const start = await selectDayStart(tx.db, day)
  return start < releasedAt ? releasedAt : start
}
