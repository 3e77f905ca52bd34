import { describeChanges } from '../../../shared/audit/audit-sentences.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound, UserError } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { listChanges } from '../audit/list-changes.ts'
import { moveNews, withholdNewsSince } from '../news/move-news.ts'
import { getPatient } from '../patients/get-patient.ts'
import { matchAgain } from '../patients/match-again.ts'
import { lockMerges } from '../patients/merge-lock.ts'
import {
  findReferralsChosenSince,
  findReferralsGrantedFor,
  markMerged,
  moveReferrals,
  type PatientValues,
  valuesOf,
  writePatientValues,
} from '../patients/merged-patients.ts'
import type { PatientRow, ReferralRow } from '../patients/patients.db.ts'
import {
  findHiddenUploads,
  findUploadsSince,
  moveUploadsToPatient,
  type NumberedUpload,
  returnReleasedSince,
} from '../uploads/of-patient/uploads-of-patient.ts'
import { lockLive, recordMerge } from './merge-patients.ts'
import { withCnpDetails } from './merged-values.ts'
import { canMergePatients } from './merges.access.ts'
import {
  deleteChoices,
  loadMergesInto,
  type MergeChanges,
  type MergeRow,
  moveAccessRequests,
  moveIncidents,
  moveRecordsOfUploads,
  selectMerge,
  updateUndone,
} from './merges.db.ts'

const DAY_MS = 24 * 3_600_000
const RETURN_REASON = 'A fost eliberată cât timp doi pacienți erau uniți, iar unirea a fost anulată.'

const firstUndoable = (now: Date): Date => new Date(now.getTime() - LIMITS.undoMergeDays * DAY_MS)

/** Returns until when the merge can be undone. */
export const undoableUntil = ({ merged_at }: MergeRow): Date =>
  new Date(merged_at.getTime() + LIMITS.undoMergeDays * DAY_MS)

/** Returns the merges into the patient that can still be undone; empty for a reader who may not undo them. */
export async function listMerges({ actor, db, now }: UserCtx, patientId: string): Promise<MergeRow[]> {
  if (!canMergePatients(actor)) return []
  const first = firstUndoable(now)
  return (await loadMergesInto(db, patientId)).filter(({ merged_at }) => merged_at >= first)
}

export type UndoneMerge = {
  survivor: PatientRow
  restored: PatientRow
  /**
   * Uploads of the survivor since the merge, those of either that were released since, which are in review again, and those
   * of either for an institution that no longer sees them.
   */
  toCheck: NumberedUpload[]
  /** Referrals of the survivor since the merge for which a person chose the patient. */
  referralsToCheck: ReferralRow[]
  /** How many news were written about either since the merge; only staff read them now. Of a reader of news. */
  newsToCheck: number
}

/**
 * Undoes a merge, for staff with the files of patients and a fresh proof: what the merge moved and is
 * still with the survivor returns, and the survivor's former values; what was released since needs a review again. Throws
 * CONFLICT after thirty days, and if values that the merge set have changed since, unless `keepChanges` keeps these.
 */
export async function undoMerge(
  ctx: UserCtx,
  { id, keepChanges }: { id: string; keepChanges?: boolean | null | undefined },
): Promise<UndoneMerge> {
  if (!canMergePatients(ctx.actor)) throw forbidden('undo merge')
  if (!isId(id)) throw notFound('merge')
  return requireUnusedCnp(() =>
    inTransaction(ctx, async (tx) => {
      requireFreshProof(tx)
      await lockMerges(tx)
      const merge = await selectMerge(tx.db, id)
      if (!merge) throw notFound('merge')
      requireUndoable(merge, tx.now)
      const { survivor_id: survivorId, merged_id: mergedId } = merge
      const survivor = (await lockLive(tx, [survivorId, mergedId])).get(survivorId)
      if (!survivor)
        throw invalidState(
          'survivor merged',
          'Între timp, pacientul a fost unit cu altul. Anulează întâi unirea mai nouă.',
        )
      const before = valuesOf(survivor)
      const { values, changedSince } = restoreValues(before, merge.changes as MergeChanges)
      if (changedSince.length > 0 && !keepChanges)
        throw changedError(before, merge.changes as MergeChanges, changedSince)

      // Before the other patient, whose CNP the survivor may have.
      const after = await writePatientValues(tx, survivor, values)
      await markMerged(tx, mergedId, null)
      const back = { from: survivorId, to: mergedId }
      const granted = await findReferralsGrantedFor(tx, survivorId, mergedId)
      const referralIds = await moveReferrals(tx, { ...back, ids: [...merge.referral_ids, ...granted] })
      const uploadIds = await moveUploadsToPatient(tx, { ...back, ids: merge.upload_ids })
      await moveNews(tx, { ...back, ids: merge.news_ids })
      await moveRecordsOfUploads(tx.db, { ...back, uploadIds })
      const since = merge.merged_at
      await moveAccessRequests(tx.db, { ...back, since })
      await moveIncidents(tx.db, { ...back, uploadIds: merge.upload_ids, back: uploadIds, since })
      await deleteChoices(tx.db, survivorId)
      await matchAgain(tx, survivorId)
      await matchAgain(tx, mergedId)
      await updateUndone(tx.db, id, tx.actor.id, tx.now)
      const moved = { uploads: { to: uploadIds.length }, referrals: { to: referralIds.length } }
      await recordMerge(tx, 'patient.undo-merge', survivorId, {
        ...listChanges(before, values, Object.keys(before) as (keyof PatientValues)[]),
        ...moved,
      })
      await recordMerge(tx, 'patient.undo-merge', mergedId, moved)
      const released = await returnReleasedSince(tx, [survivorId, mergedId], {
        since,
        reason: RETURN_REASON,
      })
      const filedSince = await findUploadsSince(tx, survivorId, since)
      const unreferred = await findHiddenUploads(tx, [survivorId, mergedId])
      const toCheck = [...released, ...filedSince, ...unreferred]
      return {
        survivor: after,
        restored: await getPatient(tx, mergedId),
        toCheck: [...new Map(toCheck.map((upload) => [upload.id, upload])).values()],
        newsToCheck: await withholdNewsSince(tx, [survivorId, mergedId], since),
        referralsToCheck: await findReferralsChosenSince(tx, survivorId, since),
      }
    }),
  )
}

function requireUndoable(merge: MergeRow, now: Date): void {
  if (merge.undone_at !== null) throw invalidState('merge undone', 'Unirea a fost deja anulată.')
  if (merge.merged_at < firstUndoable(now))
    throw invalidState(
      'merge too old',
      `O unire poate fi anulată ${LIMITS.undoMergeDays} de zile. Mută încărcările una câte una.`,
    )
}

/**
 * Returns the survivor's values with those that the merge changed as they were before it, and the fields that
 * have changed since, whose present values stay.
 */
function restoreValues(
  present: PatientValues,
  changes: MergeChanges,
): { values: PatientValues; changedSince: (keyof PatientValues)[] } {
  const fields = Object.keys(changes) as (keyof PatientValues)[]
  const changedSince = fields.filter((field) => present[field] !== changes[field]!.to)
  const restored = fields
    .filter((field) => !changedSince.includes(field))
    .map((field) => [field, changes[field]!.from])
  return { values: withCnpDetails({ ...present, ...Object.fromEntries(restored) }), changedSince }
}

function changedError(
  present: PatientValues,
  changes: MergeChanges,
  fields: readonly (keyof PatientValues)[],
): UserError {
  const labels = describeChanges(
    Object.fromEntries(fields.map((field) => [field, { from: changes[field]!.to, to: present[field] }])),
  ).map(({ label }) => label)
  return new UserError(
    'CONFLICT',
    'values changed since the merge',
    `După unire s-au schimbat: ${labels.join(', ')}. Anularea le poate păstra pe cele de acum.`,
    { fields: fields.map((field, index) => ({ field, message: labels[index]! })) },
  )
}

/** Runs the work; throws CONFLICT if a third patient has got the CNP meanwhile. */
async function requireUnusedCnp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'patient_cnp')) throw error
    throw invalidState(
      'CNP in use',
      'Alt pacient are acum CNP-ul unuia dintre cei doi. Corectează întâi CNP-ul acela.',
    )
  }
}
