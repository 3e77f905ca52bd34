import { LIMITS } from '../../../../shared/limits.ts'
import { cleanFileName } from '../../../../shared/uploads/file-names.ts'
import type { Ctx, IntegrationActor } from '../../../context.ts'
import { notFound, UserError } from '../../../errors.ts'
import { findSite } from '../../site/find-site.ts'
import { requireSpace } from './require-space.ts'
import { fileTooLarge } from './transfer-errors.ts'
import {
  countUnfinishedOf,
  lockReceiving,
  lockTransfersOf,
  selectTransfer,
  type Transfer,
  updateFinished,
  upsertIntegrationTransfer,
} from './transfers.db.ts'

/** The transfer of a document of an integration. */
export type IntegrationTransfer = Transfer & { integration_id: string }

/** Returns a transfer to the integration that began it; undefined for all others, and for a cancelled transfer. */
export async function findIntegrationTransfer(
  { actor, db }: Ctx<IntegrationActor>,
  id: string,
): Promise<IntegrationTransfer | undefined> {
  const transfer = await selectTransfer(db, id)
  return transfer && isOfIntegration(transfer, actor.id) && transfer.state !== 'cancelled'
    ? transfer
    : undefined
}

const isOfIntegration = (transfer: Transfer, integrationId: string): transfer is IntegrationTransfer =>
  transfer.integration_id === integrationId

/** Does the same, and throws NOT_FOUND in place of undefined. */
export async function getIntegrationTransfer(
  ctx: Ctx<IntegrationActor>,
  id: string,
): Promise<IntegrationTransfer> {
  const transfer = await findIntegrationTransfer(ctx, id)
  if (!transfer) throw notFound('transfer')
  return transfer
}

/**
 * Adds a transfer without bytes, or with `fileId` one whose file has arrived already, in place of a cancelled one; the caller
 * has locked it. Throws 413, TOO_MANY and 507 by the limits that transfers of users have.
 */
export async function addIntegrationTransfer(
  tx: Ctx<IntegrationActor>,
  { id, name, size, sha256 }: Pick<Transfer, 'id' | 'name' | 'size' | 'sha256'>,
  fileId: string | null,
): Promise<IntegrationTransfer> {
  if (!fileId) await requireRoom(tx, size)
  // Of the document that was cancelled, if the server was killed before it deleted them.
  await tx.services.partialFiles.remove(id)
  const values = { id, integration_id: tx.actor.id, name: cleanFileName(name), size, sha256 }
  return upsertIntegrationTransfer(tx.db, values, fileId, tx.now)
}

async function requireRoom(tx: Ctx<IntegrationActor>, size: number): Promise<void> {
  await lockTransfersOf(tx.db, tx.actor.id)
  const { upload_file_mib, upload_unfinished_per_user } = await findSite(tx.db)
  const maxBytes = upload_file_mib * 1024 ** 2
  if (size > maxBytes) throw fileTooLarge(maxBytes)
  const { unfinished, unfinishedBytes } = await countUnfinishedOf(tx.db, 'integration_id', tx.actor.id)
  // Not 413, which is about this file alone: it can be sent once others are finished.
  if (unfinished >= upload_unfinished_per_user || unfinishedBytes + size > LIMITS.unfinishedBytes)
    throw new UserError('TOO_MANY', 'too many unfinished transfers of an integration')
  await requireSpace(tx, size)
}

/** Records that the file of a transfer was added. Throws NOT_FOUND if it was cancelled meanwhile. */
export async function finishIntegrationTransfer(
  tx: Ctx,
  { id, size }: Transfer,
  fileId: string,
): Promise<void> {
  if (!(await lockReceiving(tx.db, id))) throw notFound('transfer')
  await updateFinished(tx.db, id, size, fileId, tx.now)
}
