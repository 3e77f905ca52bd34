import { isActive } from '../../../shared/uploads/file-findings.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import type { Db } from '../../platform/database/database.ts'
import { findSite } from '../site/find-site.ts'
import { getChangedUpload, getUploadToChange } from './find-upload.ts'
import type { FileDetails } from './inspection/inspection.ts'
import { moveUpload, requireLegalMove } from './move-upload.ts'
import { canSubmit, isOwn } from './uploads.access.ts'
import {
  countUnfinished,
  type FileRow,
  selectFiles,
  type UploadRow,
  updateAuthor,
  updateFiledAt,
} from './uploads.db.ts'

/**
 * Submits an upload whose files have all arrived, for its author. Moves it to `checking` and enqueues the
 * check of its files; a rejected upload without new files returns to review at once. Throws CONFLICT if the
 * upload was submitted before, `version` is given and no longer the current one, `files`, the SHA-256 (hex) of the files that the user sees, are given and
 * others have arrived or a rejected upload has no new ones, or a file of a rejected upload has active content
 * that the site has refused since.
 */
export async function submitUpload(
  ctx: UserCtx,
  {
    id,
    version,
    files,
  }: { id: string; version?: number | null | undefined; files?: readonly string[] | null | undefined },
): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getUploadToChange(tx, id)
    if (!canSubmit(tx.actor, upload)) {
      // The repetition of a request whose response was lost is no attempt without permission.
      if (isOwn(tx.actor, upload)) requireLegalMove(upload.state, 'checking')
      throw forbidden('submit upload')
    }
    if (version && version !== upload.version) throw conflict('upload')
    const received = await selectFiles(tx.db, id)
    const hasNewFiles = received.some(({ scan_result }) => scan_result === 'pending')
    // With `files` it is the late repetition of a submission, which must not overturn the rejection.
    if (upload.state === 'rejected' && !hasNewFiles && files) requireLegalMove('rejected', 'receiving')
    if ((await countUnfinished(tx.db, id)) > 0)
      throw invalidState('unfinished transfers', 'Unele fișiere nu s-au încărcat încă până la capăt.')
    if (received.length === 0) throw invalidState('no files', 'Adaugă cel puțin un fișier.')
    if (upload.state === 'rejected') await requireAllowedContent(tx.db, received)
    // Who files what a program has sent is its author from now on.
    if (upload.created_by === null) await updateAuthor(tx.db, id, tx.actor.id)
    if (upload.state === 'rejected' && !hasNewFiles) {
      await moveUpload(tx, id, upload.patient_id ? 'in_review' : 'unassigned', 'upload.submit')
      return getChangedUpload(tx, id)
    }
    if (files) requireSameFiles(received, files)
    if (upload.state === 'receiving') await updateFiledAt(tx.db, id, tx.now)
    await moveUpload(tx, id, 'checking', 'upload.submit')
    await tx.services.jobs.enqueue(tx.db, 'check-upload', { uploadId: id, authorId: tx.actor.id })
    return getChangedUpload(tx, id)
  })
}

/** Throws CONFLICT, with the names, if the site refuses files with active content and some of these have it. */
async function requireAllowedContent(db: Db, files: readonly FileRow[]): Promise<void> {
  if ((await findSite(db)).upload_active_content === 'mark') return
  const active = files.filter(({ facts }) => (facts as FileDetails).findings?.some(isActive))
  if (active.length === 0) return
  const names = active.map(({ name }) => `„${name}”`).join(', ')
  throw invalidState(
    'active content is refused',
    `Organizația nu mai primește fișiere cu conținut activ: ${names}. Retrage încărcarea și încarcă din nou fișierele fără el.`,
  )
}

/** Throws CONFLICT unless the files that have arrived are those that the user sees. */
function requireSameFiles(arrived: readonly FileRow[], seen: readonly string[]): void {
  const hashes = arrived.map(({ sha256 }) => sha256.toString('hex'))
  const unseen = arrived.filter((_file, index) => !seen.includes(hashes[index]!))
  if (unseen.length > 0) {
    const names = unseen.map(({ name }) => `„${name}”`).join(', ')
    throw invalidState(
      'files that the user does not see',
      `Au ajuns și fișiere care nu erau în listă: ${names}. Verifică lista și trimite din nou.`,
    )
  }
  if (seen.some((hash) => !hashes.includes(hash)))
    throw invalidState(
      'missing files',
      'Un fișier din listă nu mai este pe server. Verifică lista și trimite din nou.',
    )
}
