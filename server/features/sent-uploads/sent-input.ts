import type { UserCtx } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { getPatient } from '../patients/get-patient.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'
import { readUploadInput } from '../uploads/upload-input.ts'

/** The details of an upload that a user of an institution sends; the institution is the one in whose name it is sent. */
export type SentInput = { patientId?: string | null | undefined; institutionId: string }

/**
 * Returns the details as table columns. Throws NOT_FOUND unless the actor may send files for the institution, or for a patient
 * who is not the institution's, and BAD_USER_INPUT if its referral of the patient has ended.
 */
export async function readSentInput(tx: UserCtx, input: SentInput) {
  if (!tx.actor.sendingInstitutionIds.includes(input.institutionId)) throw notFound('institution')
  if (input.patientId) await requireOpenReferral(tx, input.patientId, input.institutionId)
  return readUploadInput(tx, input)
}

/** Throws NOT_FOUND for a patient whom the institution has not referred, and BAD_USER_INPUT if the referral has ended. */
export async function requireOpenReferral(
  tx: UserCtx,
  patientId: string,
  institutionId: string,
): Promise<void> {
  const { id } = await getPatient(tx, patientId)
  const referrals = await listReferrals(tx, id, [institutionId])
  if (referrals.length === 0) throw notFound('patient')
  if (!referrals.some(isOpenReferral))
    throw invalid([
      {
        field: 'patientId',
        message: 'Trimiterea acestui pacient s-a încheiat: pentru el nu se mai pot trimite fișiere.',
      },
    ])
}
