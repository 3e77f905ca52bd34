import type { Ctx, UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { publish } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudits } from '../../audit/record-audit.ts'
import { canEditPatients } from '../patients.access.ts'
import { insertReferrals, selectOwnersOfCnps, selectReferralsTo } from '../patients.db.ts'

/** Whether patients are referred to the institution now; `ended`: they were, or never rightly. */
export async function findReferralsTo(
  ctx: Ctx,
  institutionId: string,
  patientIds: readonly string[],
): Promise<Map<string, 'open' | 'ended'>> {
  const rows = patientIds.length > 0 ? await selectReferralsTo(ctx.db, institutionId, patientIds) : []
  const found = new Map<string, 'open' | 'ended'>()
  for (const { patient_id, is_open } of rows)
    if (is_open || !found.has(patient_id)) found.set(patient_id, is_open ? 'open' : 'ended')
  return found
}

/** Records in the open transaction that an institution referred these patients, as `createReferral` does each. */
export async function referPatients(
  tx: UserCtx,
  institutionId: string,
  patients: readonly { id: string; cnp: string | null }[],
): Promise<void> {
  if (!canEditPatients(tx.actor)) throw forbidden('refer patients')
  if (patients.length === 0) return
  const owners = await selectOwnersOfCnps(
    tx.db,
    patients.map(({ id }) => id),
    patients.flatMap(({ cnp }) => cnp ?? []),
  )
  const rows = patients.map(({ id: patient_id, cnp }) => ({
    id: newId(),
    patient_id,
    institution_id: institutionId,
    doctor: null,
    referred_on: null,
    number: null,
    created_by: tx.actor.id,
    granted_for: cnp === null ? null : (owners.get(cnp) ?? null),
  }))
  await insertReferrals(tx.db, rows)
  await recordAudits(
    tx,
    rows.map(({ id, patient_id }) => ({
      action: 'referral.create',
      subject: { type: 'referral', id },
      patientId: patient_id,
    })),
  )
  for (const { id } of patients) await publish(tx.db, { kind: 'patient', id })
}
