import { isDeepStrictEqual } from 'node:util'
import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { getPatient } from '../../patients/get-patient.ts'
import { findSite } from '../../site/find-site.ts'
import { raiseUploadVersion } from '../../uploads/change-locked-upload.ts'
import { groupLater } from '../../uploads/drafts/group-later.ts'
import { joinDrafts, lockDrafts, withdrawEmpty } from '../../uploads/drafts/join-drafts.ts'
import { findUpload, getUpload } from '../../uploads/find-upload.ts'
import type { UploadRow } from '../../uploads/uploads.db.ts'
import { findFiles } from '../../uploads/uploads.loaders.ts'
import {
  deleteProposal,
  hasOnlyRemovedFiles,
  lockBatch,
  raiseBatchVersion,
  saveProposal,
  selectChosenId,
  selectGroupsAbout,
  selectGroupsByKey,
  selectGroupsWithoutCategory,
  selectProposal,
} from '../batches.db.ts'
import { findGroupToJoin } from './grouping.ts'
import { type ProposedGroup, proposeGroup } from './propose-group.ts'

/**
 * Saves what the files of a group propose for it, and joins it to the group of the same examination of the same patient, if
 * no person has changed either. Does nothing once it is submitted. The groups of a batch change one at a time, so that it may
 * run again, and at any time. Throws CONFLICT if a person changes the group meanwhile; the job is then retried.
 */
export async function groupUpload(
  ctx: Ctx<SystemActor>,
  { batchId, uploadId }: { batchId: string; uploadId: string },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await lockBatch(tx.db, batchId))) return
    const upload = await findUpload(tx, uploadId)
    if (upload?.batch_id !== batchId || upload.state !== 'receiving') return
    const proposed = await proposeGroup(tx, upload)
    if (!proposed) return forget(tx, upload)
    const kept = await selectProposal(tx.db, uploadId)
    const isChanged = kept
      ? kept.is_fixed || kept.upload_version !== upload.version
      : upload.batch_key === null || upload.version > 1
    const isFixed = isChanged || (await selectChosenId(tx.db, uploadId)) !== null
    const target = isFixed ? null : await findTarget(tx, batchId, upload, proposed)
    if (!target) {
      await lockDrafts(tx, [upload])
      await save(tx, upload, proposed, isFixed)
      return
    }
    await lockDrafts(tx, [upload, target])
    const files = await findFiles(tx, uploadId)
    await joinDrafts(tx, { from: upload, to: target, fileIds: files.map(({ id }) => id) })
    await deleteProposal(tx.db, uploadId)
    const joined = await getUpload(tx, target.id)
    const ofBoth = await proposeGroup(tx, joined)
    if (ofBoth) await save(tx, joined, ofBoth, false)
  })
}

/** Proposes again for a group that a person has changed, whose batch the transaction has locked; nothing before it was read. */
export async function proposeForPerson(tx: Ctx, upload: UploadRow): Promise<void> {
  const proposed = await proposeGroup(tx, upload)
  if (!proposed) return
  await lockDrafts(tx, [upload])
  await save(tx, upload, proposed, true)
}

/** Returns the group that the upload joins; null if it stays a group of its own. */
async function findTarget(
  tx: Ctx,
  batchId: string,
  upload: UploadRow,
  { group_key }: ProposedGroup,
): Promise<UploadRow | null> {
  if (group_key === null) return null
  const { upload_files } = await findSite(tx.db)
  const joining = { id: upload.id, group_key, file_count: upload.file_count ?? 0 }
  const found = findGroupToJoin(joining, await selectGroupsByKey(tx.db, batchId, group_key), upload_files)
  return found && getUpload(tx, found.id)
}

/** Raises the version of the upload, which the transaction has locked, unless the proposal is as it was. */
async function save(tx: Ctx, upload: UploadRow, proposed: ProposedGroup, isFixed: boolean): Promise<void> {
  const kept = await selectProposal(tx.db, upload.id)
  if (kept) {
    const {
      upload_id: _id,
      upload_version,
      batch_version: _version,
      is_ready: _isReady,
      is_fixed,
      ...before
    } = kept
    const isSame = upload_version === upload.version && is_fixed === isFixed
    if (isSame && isDeepStrictEqual(before, asStored(proposed))) return
  }
  await saveProposal(tx.db, {
    ...proposed,
    upload_id: upload.id,
    upload_version: upload.version + 1,
    batch_version: await raiseBatchVersion(tx.db, upload.batch_id!),
    is_fixed: isFixed,
  })
  await raiseUploadVersion(tx, upload)
  if (upload.integration_id && upload.created_by === null)
    await tx.services.jobs.enqueue(tx.db, 'file-for-integration', { uploadId: upload.id })
}

/** Without the properties that JSON does not have. */
const asStored = (proposed: ProposedGroup): unknown => JSON.parse(JSON.stringify(proposed))

/** Withdraws a group whose files were all taken out; one whose files were not read yet waits. */
async function forget(tx: Ctx, upload: UploadRow): Promise<void> {
  await deleteProposal(tx.db, upload.id)
  if (!(await hasOnlyRemovedFiles(tx.db, upload.id))) return
  await lockDrafts(tx, [upload])
  await withdrawEmpty(tx, upload.id)
}

/** Proposes again for the groups of open batches that a change of the patient, or of a referral of the patient, concerns. */
export async function matchPatientAgain(ctx: Ctx<SystemActor>, patientId: string): Promise<void> {
  // The survivor of one that was merged.
  const patient = await getPatient(ctx, patientId)
  const groups = await selectGroupsAbout(ctx.db, [patientId, patient.id], patient)
  for (const group of groups) await groupLater(ctx, group)
}

/** Proposes again for the groups of open batches without a chosen category, after a change of categories or their words. */
export async function matchCategoriesAgain(ctx: Ctx<SystemActor>): Promise<void> {
  for (const group of await selectGroupsWithoutCategory(ctx.db)) await groupLater(ctx, group)
}
