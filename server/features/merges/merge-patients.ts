import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid, invalidState, notFound, type UserError } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { publish } from '../../platform/events.ts'
import { isId, newId } from '../../platform/ids.ts'
import { parseInput } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findInstitutionsShownByOther, findShownByLinkOfOther, moveNews } from '../news/move-news.ts'
import { getPatient } from '../patients/get-patient.ts'
import { matchAgain } from '../patients/match-again.ts'
import { lockMerges } from '../patients/merge-lock.ts'
import {
  lockPatients,
  markMerged,
  moveReferrals,
  type PatientValues,
  valuesOf,
  writePatientValues,
} from '../patients/merged-patients.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import {
  countUploadsOf,
  findUploadsShownByOther,
  moveUploadsToPatient,
} from '../uploads/of-patient/uploads-of-patient.ts'
import { CHOSEN_FIELDS, type ChosenField, haveTwoCnps, mergeValues } from './merged-values.ts'
import { canMergePatients } from './merges.access.ts'
import { insertMerge, type MergeChanges } from './merges.db.ts'

const schema = z.object({
  survivorId: z.string(),
  survivorVersion: z.int(),
  mergedId: z.string(),
  mergedVersion: z.int(),
  take: z.array(z.enum(Object.keys(CHOSEN_FIELDS) as [ChosenField, ...ChosenField[]])).nullish(),
  keepSurname: z.boolean().nullish(),
})

/**
 * Merges a patient into another, for staff with the files of patients and a fresh proof: uploads, referrals and
 * news move to the survivor, whose values are chosen, and the old id leads to it. Throws CONFLICT if either has
 * changed, if they have two CNPs, or if an institution or the holder of a link would see an upload or news that they did
 * not see before.
 */
export async function mergePatients(ctx: UserCtx, input: unknown): Promise<PatientRow> {
  if (!canMergePatients(ctx.actor)) throw forbidden('merge patients')
  const { survivorId, survivorVersion, mergedId, mergedVersion, take, keepSurname } = parseInput(
    schema,
    input,
  )
  if (survivorId === mergedId) throw samePatient()
  return inTransaction(ctx, async (tx) => {
    requireFreshProof(tx)
    await lockMerges(tx)
    const locked = await lockLive(tx, [survivorId, mergedId])
    const [survivor, merged] = [locked.get(survivorId), locked.get(mergedId)]
    if (!survivor || !merged) throw notFound('patient')
    if (survivor.version !== survivorVersion || merged.version !== mergedVersion) throw conflict('patient')
    const obstacle = await findObstacle(tx, survivor, merged)
    if (obstacle) throw obstacle

    const before = valuesOf(survivor)
    const values = mergeValues(before, valuesOf(merged), {
      take: take ?? [],
      keepSurname: keepSurname ?? false,
    })
    // Before the survivor is written, who may get the CNP.
    await markMerged(tx, mergedId, survivorId)
    const after = await writePatientValues(tx, survivor, values)
    const between = { from: mergedId, to: survivorId }
    const referralIds = await moveReferrals(tx, between)
    const uploadIds = await moveUploadsToPatient(tx, between)
    const newsIds = await moveNews(tx, between)
    const id = newId()
    await insertMerge(tx.db, {
      id,
      survivor_id: survivorId,
      merged_id: mergedId,
      upload_ids: uploadIds,
      referral_ids: referralIds,
      news_ids: newsIds,
      changes: changesBetween(before, values),
      merged_by: tx.actor.id,
      merged_at: tx.now,
    })
    const moved = { uploads: { to: uploadIds.length }, referrals: { to: referralIds.length } }
    await recordMerge(tx, 'patient.merge', survivorId, {
      ...listChanges(before, values, Object.keys(before) as (keyof PatientValues)[]),
      ...moved,
    })
    await recordMerge(tx, 'patient.merge', mergedId, moved)
    return after
  })
}

/** Locks the patients and returns those that are neither merged nor deleted, by id. */
export async function lockLive(tx: UserCtx, ids: readonly string[]): Promise<Map<string, PatientRow>> {
  const rows = await lockPatients(tx, ids.filter(isId))
  return new Map(
    rows.filter((row) => row.merged_into === null && row.deleted_at === null).map((row) => [row.id, row]),
  )
}

/** Records the merge, or its undoing, for one of the two patients and notifies the pages that show the patient. */
export async function recordMerge(
  tx: UserCtx,
  action: 'patient.merge' | 'patient.undo-merge',
  id: string,
  changes: Record<string, { from?: unknown; to?: unknown }>,
): Promise<void> {
  await recordAudit(tx, { action, subject: { type: 'patient', id }, patientId: id, changes })
  await publish(tx.db, { kind: 'patient', id })
  await matchAgain(tx, id)
}

const samePatient = () => invalid([{ field: 'mergedId', message: 'Alege doi pacienți diferiți.' }])

/**
 * Returns why the patients cannot be merged; null if they can. An upload is invisible to its institution if its patient's
 * referrals do not show it, and the other patient's referrals could.
 */
async function findObstacle(
  tx: UserCtx,
  survivor: PatientRow,
  merged: PatientRow,
): Promise<UserError | null> {
  if (haveTwoCnps(valuesOf(survivor), valuesOf(merged)))
    return invalidState(
      'two CNPs',
      'Cei doi pacienți au CNP-uri diferite: sunt două persoane și nu pot fi uniți. Corectează întâi CNP-ul greșit.',
    )
  const newReaders = await findInstitutionsShownByOther(tx, [survivor.id, merged.id])
  if (newReaders.length > 0)
    return invalidState(
      'news without a referral',
      `Unirea ar arăta noutăți ale unuia dintre pacienți unor instituții care nu le citesc acum: ${newReaders.join(', ')}. Lasă-le întâi doar pentru personal.`,
    )
  if (await findShownByLinkOfOther(tx, [survivor.id, merged.id]))
    return invalidState(
      'news behind a link',
      'Unirea ar arăta noutăți ale unuia dintre pacienți celui care are un link cu rezultatele celuilalt. Închide întâi linkul sau lasă noutățile doar pentru personal.',
    )
  const unreferred = await findUploadsShownByOther(tx, [survivor.id, merged.id])
  if (unreferred.length === 0) return null
  const numbers = unreferred.map(({ number }) => `nr. ${number}`).join(', ')
  return invalidState(
    'uploads without a referral',
    `Unele încărcări nu se văd la instituția lor, fiindcă pacientul nu are trimitere de la ea sau trimiterea s-a încheiat, iar unirea i le-ar putea arăta: ${numbers}. Alege altă instituție, adaugă ori redeschide trimiterea sau retrage încărcarea.`,
  )
}

const changesBetween = (before: PatientValues, after: PatientValues): MergeChanges =>
  Object.fromEntries(
    (Object.keys(before) as (keyof PatientValues)[])
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  )

export type MergePreview = {
  survivor: PatientRow
  merged: PatientRow
  survivorUploads: number
  mergedUploads: number
  obstacle: string | null
}

/** Returns what a merge would bring together, and the obstacle if there is one. The reading is recorded. */
export async function previewMerge(
  ctx: UserCtx,
  { survivorId, mergedId }: { survivorId: string; mergedId: string },
): Promise<MergePreview> {
  if (!canMergePatients(ctx.actor)) throw forbidden('preview merge')
  const [survivor, merged] = [await getPatient(ctx, survivorId), await getPatient(ctx, mergedId)]
  if (survivor.id === merged.id) throw samePatient()
  for (const { id } of [survivor, merged])
    await recordAudit(ctx, { action: 'patient.read', subject: { type: 'patient', id }, patientId: id })
  return {
    survivor,
    merged,
    survivorUploads: await countUploadsOf(ctx, survivor.id),
    mergedUploads: await countUploadsOf(ctx, merged.id),
    obstacle: (await findObstacle(ctx, survivor, merged))?.userMessage ?? null,
  }
}
