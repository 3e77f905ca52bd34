import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { raiseUploadVersion } from '../change-locked-upload.ts'
import { getUpload } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { countUnfinished, insertUpload, lockUploads, selectFiles, type UploadRow } from '../uploads.db.ts'
import { moveFileRows } from './drafts.db.ts'
import { recordMove } from './move-files.ts'

type MoveInput = { from: UploadRow; to: UploadRow; fileIds: readonly string[] }

/** Locks drafts, so that nobody submits them and no file arrives in them until the transaction ends. */
export const lockDraftRows = (tx: Ctx, drafts: readonly { id: string }[]): Promise<void> =>
  lockUploads(tx.db, sql`select unnest(${drafts.map(({ id }) => id)}::uuid[]) as id`)

/** Locks drafts. Throws CONFLICT if one has changed or was submitted since it was read. */
export async function lockDrafts(tx: Ctx, seen: readonly UploadRow[]): Promise<void> {
  await lockDraftRows(tx, seen)
  for (const { id, version } of seen) {
    const upload = await getUpload(tx, id)
    if (upload.state !== 'receiving' || upload.version !== version) throw conflict('upload')
  }
}

/**
 * Gives files of a draft to another draft of its batch, both of which the transaction has locked. A draft that has no files
 * left, and none under way, is withdrawn.
 */
export async function joinDrafts(tx: Ctx, { from, to, fileIds }: MoveInput): Promise<void> {
  const rest = (await selectFiles(tx.db, from.id)).filter(({ id }) => !fileIds.includes(id))
  await moveFileRows(tx.db, fileIds, to.id)
  await recordMove(tx, { from, to, ids: fileIds })
  await raiseUploadVersion(tx, to)
  if (rest.length === 0 && (await countUnfinished(tx.db, from.id)) === 0) await withdrawEmpty(tx, from.id)
  else await raiseUploadVersion(tx, from)
}

/** Gives files of a draft, which the transaction has locked, to a new draft of its batch without a patient; returns it. */
export async function splitDraft(tx: Ctx, from: UploadRow, fileIds: readonly string[]): Promise<UploadRow> {
  const { title, category_slug, examined_on, created_by, integration_id, batch_id } = from
  const id = newId()
  const nobody = { patient_id: null, institution_id: null, referring_doctor: null }
  await insertUpload(tx.db, {
    ...nobody,
    id,
    title,
    category_slug,
    examined_on,
    accession_number: null,
    note: null,
    created_by,
    integration_id,
    batch_id,
  })
  await recordAudit(tx, { action: 'upload.create', subject: { type: 'upload', id } })
  await joinDrafts(tx, { from, to: await getUpload(tx, id), fileIds })
  return getUpload(tx, id)
}

/** Withdraws a draft of a batch that has no files. */
export const withdrawEmpty = (tx: Ctx, id: string): Promise<void> =>
  moveUpload(tx, id, 'withdrawn', 'upload.withdraw')
