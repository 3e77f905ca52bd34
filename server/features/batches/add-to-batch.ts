import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { cleanFileName } from '../../../shared/uploads/file-names.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { fileTooLarge } from '../uploads/transfers/transfer-errors.ts'
import type { TransferRow } from '../uploads/uploads.db.ts'
import { findUnfinishedTransfers } from '../uploads/uploads.loaders.ts'
import { canAddToBatch } from './batches.access.ts'
import { countAnnounced, insertAnnounced, selectAnnounced } from './batches.db.ts'
import { getOpenBatch } from './get-batch.ts'

/** A file of a batch for its sender. `uploadId`: the draft that its bytes are sent to; null if it is refused. */
export type AnnouncedFile = {
  key: string
  uploadId: string | null
  refusal: string | null
  isReceived: boolean
  transfer: TransferRow | null
}

const MAX_KEY = 500

const schema = z
  .array(
    z.object({
      key: z
        .string()
        .min(1, 'Lipsește cheia fișierului.')
        .max(MAX_KEY, 'Cheia fișierului este prea lungă.')
        .refine((key) => !key.includes('\0'), 'Cheia fișierului nu este validă.'),
      name: z.string(),
      size: z.number(),
    }),
  )
  .min(1, 'Lipsesc fișierele.')
  .max(LIMITS.announcedFiles, `Cel mult ${LIMITS.announcedFiles} de fișiere odată.`)

/**
 * Announces files of a batch, for its author: each gets an empty draft, to which its bytes are sent. A file that was
 * announced before, which `key` recognises, has the draft that it got then, with its unfinished transfer. Throws CONFLICT
 * if the batch is closed.
 */
export async function addToBatch(
  ctx: UserCtx,
  { batchId, files: input }: { batchId: string; files: unknown },
): Promise<AnnouncedFile[]> {
  return inTransaction(ctx, async (tx) => {
    const batch = await getOpenBatch(tx, batchId)
    if (!canAddToBatch(tx.actor, batch)) throw forbidden('add to batch')
    const files = [...new Map(parseInput(schema, input).map((file) => [file.key, file])).values()]
    const maxBytes = (await findSite(tx.db)).upload_file_mib * 1024 ** 2
    const accepted = files.filter(({ size }) => size <= maxBytes)
    await announce(tx, batch.id, accepted)
    const keys = files.map(({ key }) => key)
    const drafts = new Map((await selectAnnounced(tx.db, batch.id, keys)).map((row) => [row.key, row]))
    const transfers = await findUnfinishedTransfers(
      tx,
      [...drafts.values()].map(({ id }) => id),
    )
    return files.map(({ key }) => {
      const draft = drafts.get(key)
      return {
        key,
        uploadId: draft?.id ?? null,
        refusal: draft ? null : fileTooLarge(maxBytes).userMessage,
        isReceived: draft?.is_received ?? false,
        transfer: transfers.find(({ upload_id }) => upload_id === draft?.id) ?? null,
      }
    })
  })
}

async function announce(
  tx: UserCtx,
  batchId: string,
  files: readonly { key: string; name: string }[],
): Promise<void> {
  if (files.length === 0) return
  // In the order of the announcement, by which the groups are listed.
  const drafts = files.map(({ key, name }) => ({ id: newId(), key, name: cleanFileName(name) }))
  const added = await insertAnnounced(tx.db, { batchId, authorId: tx.actor.id }, drafts)
  if (added.length === 0) return
  if ((await countAnnounced(tx.db, batchId)) > LIMITS.batchFiles) {
    const most = counted(LIMITS.batchFiles, 'fișier', 'fișiere')
    throw invalid([{ field: 'files', message: `Un lot are cel mult ${most}. Începe alt lot.` }])
  }
  await recordAudit(tx, {
    action: 'batch.add',
    subject: { type: 'batch', id: batchId },
    subjectIds: added,
    changes: { files: { to: added.length } },
  })
}
