import { z } from 'zod'
import type { AuditAction } from '../../../shared/audit/audit-actions.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { optionalPastDay, optionalText, parseInput } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'
import { lockReferral, type ReferralRow, writeReferral } from '../patients/change-referral.ts'
import { requireNoEqual } from '../patients/create-referral.ts'
import { matchAgain } from '../patients/match-again.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { canEditPatients } from '../patients/patients.access.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { type NumberedUpload, whileReferralChanges } from '../uploads/of-patient/uploads-of-patient.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'

const schema = z.object({
  institutionId: z.string(),
  doctor: optionalText('Medicul trimițător'),
  referredOn: optionalPastDay('Data trimiterii'),
  number: optionalText('Numărul trimiterii', 60),
  endedOn: optionalPastDay('Data încheierii'),
  isMistaken: z.boolean().nullish(),
})

const FIELDS = [
  'institution_id',
  'doctor',
  'referred_on',
  'number',
  'ended_on',
  'mistaken',
] as const satisfies readonly (keyof ReferralRow)[]

export type UpdatedReferral = {
  patient: PatientRow
  /** Uploads that the institution saw, or would have seen after their release, and no longer does. */
  noLongerShown: NumberedUpload[]
}

/**
 * Changes a referral, ends it or opens it again, for staff. After its end the institution sees what had been released
 * to it, and nothing that is released later; by a mistaken referral, or one that another institution has got, nothing.
 * Throws CONFLICT if `version` is not the current one, BAD_USER_INPUT if the patient has the same referral already.
 */
export async function updateReferral(
  ctx: UserCtx,
  { id, version, referral: input }: { id: string; version: number; referral: unknown },
): Promise<UpdatedReferral> {
  if (!canEditPatients(ctx.actor)) throw forbidden('update referral')
  const values = readInput(input)
  return inTransaction(ctx, async (tx) => {
    await blockMerges(tx)
    const { patient, referral: before, others } = await lockReferral(tx, id)
    const { institution_id } = values
    if (institution_id !== before.institution_id) await getOpenInstitution(tx, institution_id)
    requireNoEqual(
      others.filter((other) => other.institution_id === institution_id),
      values,
    )
    const noLongerShown = await whileReferralChanges(
      tx,
      patient.id,
      [before.institution_id, institution_id],
      () => writeReferral(tx, id, version, values),
    )
    await recordAudit(tx, {
      action: actionOf(before, values),
      subject: { type: 'referral', id },
      patientId: patient.id,
      changes: listChanges<Pick<ReferralRow, (typeof FIELDS)[number]>>(before, values, FIELDS),
    })
    await publish(tx.db, { kind: 'patient', id: patient.id })
    await matchAgain(tx, patient.id)
    return { patient, noLongerShown: canReadFiles(tx.actor) ? noLongerShown : [] }
  })
}

function readInput(input: unknown) {
  const { institutionId, doctor, referredOn, number, endedOn, isMistaken } = parseInput(schema, input)
  const mistaken = isMistaken ?? false
  if (endedOn !== null && referredOn !== null && endedOn < referredOn)
    throw invalid([{ field: 'endedOn', message: 'Încheierea nu poate fi înaintea datei trimiterii.' }])
  return {
    institution_id: institutionId,
    doctor,
    referred_on: referredOn,
    number,
    ended_on: endedOn ?? (mistaken ? todayInRomania() : null),
    mistaken,
  }
}

function actionOf(before: Pick<ReferralRow, 'ended_on'>, after: Pick<ReferralRow, 'ended_on'>): AuditAction {
  if (before.ended_on === null && after.ended_on !== null) return 'referral.end'
  return before.ended_on !== null && after.ended_on === null ? 'referral.reopen' : 'referral.update'
}
