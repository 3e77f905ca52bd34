import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { ACCESS_REFUSALS } from '../../../shared/requests/access-requests.ts'
import { maskCnps } from '../../../shared/romania/cnp.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { isId } from '../../platform/ids.ts'
import { optionalText, parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { createReferral } from '../patients/create-referral.ts'
import { getPatient } from '../patients/get-patient.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'
import { findPatientsByCnps } from '../patients/many/find-patients.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { canDecideAccess } from './access-requests.access.ts'
import {
  type AccessRequestRow,
  lockAccessRequest,
  selectTypedCnp,
  updateAccepted,
  updateRefused,
} from './access-requests.db.ts'
import { getAccessRequest } from './find-access-request.ts'

type ReferralInput = {
  doctor?: string | null | undefined
  number?: string | null | undefined
  referredOn?: string | null | undefined
}

/**
 * Accepts a request for access, for staff: the institution gets a referral of the patient, unless it has exactly this one.
 * Throws CONFLICT if the request was decided otherwise, or states the CNP of another patient; the same decision of the same person again changes nothing.
 */
export function acceptAccessRequest(
  ctx: UserCtx,
  { id, patientId, ...referral }: ReferralInput & { id: string; patientId: string },
): Promise<AccessRequestRow> {
  if (!canDecideAccess(ctx.actor)) throw forbidden('accept access request')
  return inTransaction(ctx, async (tx) => {
    await blockMerges(tx)
    const { request, isOwnDecision } = await lockRequest(tx, id)
    const patient = await getPatient(tx, patientId)
    if (isOwnDecision && request.patient_id === patient.id) return request
    requireOpen(request)
    const cnp = await selectTypedCnp(tx.db, id)
    const [owner] = await findPatientsByCnps(tx, cnp === null ? [] : [cnp])
    if (owner && owner.id !== patient.id) throw ofOtherPatient()
    if (!(await isReferredAlready(tx, request, patient.id, referral)))
      await createReferral(
        tx,
        { ...referral, patientId: patient.id, institutionId: request.institution_id },
        { cnp },
      )
    await updateAccepted(tx.db, id, tx.actor.id, patient.id, tx.now)
    await recordAudit(tx, {
      action: 'access-request.accept',
      subject: { type: 'access-request', id },
      patientId: patient.id,
    })
    return announce(tx, request)
  })
}

/** After a merge was undone, a page may still show the patient who had that CNP before. */
const ofOtherPatient = () =>
  invalidState(
    'the CNP is of another patient',
    'CNP-ul din cerere este al altui pacient. Deschide din nou cererea și alege-l pe acela.',
  )

async function isReferredAlready(
  tx: UserCtx,
  { institution_id }: AccessRequestRow,
  patientId: string,
  { doctor, number, referredOn }: ReferralInput,
): Promise<boolean> {
  const referrals = await listReferrals(tx, patientId, [institution_id])
  return referrals.some(
    (referral) =>
      isOpenReferral(referral) &&
      referral.doctor === (doctor || null) &&
      referral.number === (number || null) &&
      referral.referred_on === (referredOn || null),
  )
}

const refusalSchema = z.object({
  refusal: z.enum(ACCESS_REFUSALS),
  note: optionalText('Textul', LIMITS.accessPurpose),
})

/**
 * Refuses a request for access, for staff, with a reason and a text that the institution reads. Throws CONFLICT like
 * `acceptAccessRequest`.
 */
export function refuseAccessRequest(
  ctx: UserCtx,
  { id, ...input }: { id: string; refusal: string; note?: string | null | undefined },
): Promise<AccessRequestRow> {
  if (!canDecideAccess(ctx.actor)) throw forbidden('refuse access request')
  const { refusal, note } = parseInput(refusalSchema, input)
  const decision = { refusal, note: note && maskCnps(note) }
  return inTransaction(ctx, async (tx) => {
    const { request, isOwnDecision } = await lockRequest(tx, id)
    if (isOwnDecision && request.refusal === refusal && request.refusal_note === decision.note) return request
    requireOpen(request)
    await updateRefused(tx.db, id, tx.actor.id, decision, tx.now)
    await recordAudit(tx, {
      action: 'access-request.refuse',
      subject: { type: 'access-request', id },
      changes: { reason: { to: refusal } },
    })
    return announce(tx, request)
  })
}

/** Locks a request and returns it; `isOwnDecision`: the actor has decided it. */
async function lockRequest(tx: UserCtx, id: string) {
  const locked = isId(id) ? await lockAccessRequest(tx.db, id) : undefined
  return { request: await getAccessRequest(tx, id), isOwnDecision: locked?.decided_by === tx.actor.id }
}

function requireOpen({ state }: AccessRequestRow): void {
  if (state !== 'sent')
    throw invalidState(
      'already decided',
      'Un coleg a decis între timp cererea. Reîncarcă lista ca să vezi decizia.',
    )
}

/** Announces a decision and returns the request as it is now. */
async function announce(tx: UserCtx, { id, institution_id }: AccessRequestRow): Promise<AccessRequestRow> {
  await publish(tx.db, { kind: 'access-request', institutionId: institution_id })
  return getAccessRequest(tx, id)
}
