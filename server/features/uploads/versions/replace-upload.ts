import { z } from 'zod'
import { LIMITS } from '../../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, forbidden, invalidState } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { parseInput, requiredText } from '../../../validation.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { blockCategorySaves } from '../../categories/find-category.ts'
import { blockMerges } from '../../patients/merge-lock.ts'
import { detailsOf } from '../change-locked-upload.ts'
import { getUpload, getUploadToChange } from '../find-upload.ts'
import { changedState, moveUpload } from '../move-upload.ts'
import { canCreateUploads, canReplace, canWithdraw } from '../uploads.access.ts'
import { insertUpload, type UploadRow } from '../uploads.db.ts'
import { findFollowing } from './find-versions.ts'

const schema = z.object({ reason: requiredText('Motivul', LIMITS.shortText) })

/**
 * Begins a new version of a released upload, with its details and without files, for staff who file uploads. It is
 * submitted and reviewed like any other; its release moves the former one to `replaced`, which until then stays visible
 * unless `withdraw` is true. Throws CONFLICT if another new version is under way.
 */
export async function replaceUpload(
  ctx: UserCtx,
  {
    id,
    version,
    withdraw,
    ...input
  }: { id: string; version: number; reason: string; withdraw?: boolean | null | undefined },
): Promise<UploadRow> {
  if (!canCreateUploads(ctx.actor)) throw forbidden('replace upload')
  const { reason } = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const former = await getUploadToChange(tx, id)
    if (!canReplace(tx.actor, former)) throw changedState(former.state, 'replace upload')
    if (former.version !== version) throw conflict('upload')
    const following = await findFollowing(tx, former)
    if (following)
      throw invalidState('a new version exists', `Are deja o versiune nouă: nr. ${following.number}.`)
    if (withdraw && !canWithdraw(tx.actor, former)) throw forbidden('withdraw upload')

    const newVersion = newId()
    await insertUpload(tx.db, {
      ...detailsOf(former),
      id: newVersion,
      // Who reviews the new version reads in it why there is one.
      note: reason,
      created_by: tx.actor.id,
      replaces_id: id,
      revision: former.revision + 1,
    })
    await recordAudit(tx, {
      action: 'upload.new-version',
      subject: { type: 'upload', id: newVersion },
      patientId: former.patient_id,
      changes: { replaces: { to: former.number }, reason: { to: reason } },
    })
    if (withdraw) await moveUpload(tx, id, 'withdrawn', 'upload.withdraw', { reason: { to: reason } })
    return getUpload(tx, newVersion)
  })
}
