import type { Ctx, IntegrationActor } from '../../context.ts'
import { invalidState, notFound, UserError } from '../../errors.ts'
import { cancelTransfer } from '../uploads/transfers/cancel-transfer.ts'
import {
  findIntegrationTransfer,
  finishIntegrationTransfer,
  getIntegrationTransfer,
} from '../uploads/transfers/integration-transfers.ts'
import { requireChecksum } from '../uploads/transfers/require-checksum.ts'
import { readOffset } from '../uploads/transfers/resume-transfer.ts'
import { transferIdOf } from '../uploads/transfers/transfer-id.ts'
import { withTransferLock } from '../uploads/transfers/transfer-lock.ts'
import { answerAgain, type Filed, fileIntake, withIntakeLock } from './file-intake.ts'
import { selectIntake } from './intake.db.ts'
import { inProgress } from './intake-errors.ts'
import { readIntakeFacts } from './read-intake-facts.ts'

/** A document whose bytes were sent before, by a transfer. */
export type TransferredDocument = { key: string; facts: string | null; transfer: string }

/**
 * Files a document whose transfer has all its bytes. The transfer stays while its facts are refused, so that it is not sent
 * again when they are right; after any error the same request can be repeated, and it gets the first answer.
 * Throws NOT_FOUND unless the integration has begun the transfer with this key, CONFLICT while bytes are missing, and 460.
 */
export async function fileIntakeTransfer(
  ctx: Ctx<IntegrationActor>,
  { key, facts: stated, transfer: id }: TransferredDocument,
): Promise<Filed> {
  if (id !== transferIdOf(ctx.actor.id, key)) throw notFound('transfer')
  return withIntakeLock(ctx, key, async (lock) => {
    const facts = readIntakeFacts(stated)
    const received = await selectIntake(ctx.db, ctx.actor.id, key)
    if (received) {
      // The answer lasts longer than the transfer, and names the hash.
      const { sha256 } = (await findIntegrationTransfer(ctx, id)) ?? received
      return { receipt: await answerAgain(ctx, received, { sha256, facts }), isNew: false }
    }
    const filed = await withTransferLock(ctx.services.locks, id, async () => {
      const transfer = await getIntegrationTransfer(ctx, id)
      const { name, size, sha256 } = transfer
      if ((await readOffset(ctx, transfer)) < size)
        throw invalidState('bytes are missing', 'Fișierul nu a ajuns încă întreg.')
      await requireChecksum(ctx, transfer)
      const document = { key, facts, name, size, sha256, partialId: id }
      const answer = await fileIntake(ctx, document, lock, (tx, fileId) =>
        finishIntegrationTransfer(tx, transfer, fileId),
      ).catch(async (error: unknown) => {
        // No other facts make its bytes acceptable.
        if (error instanceof UserError && error.status === 415) await cancelTransfer(ctx, id)
        throw error
      })
      await ctx.services.partialFiles.remove(id)
      return answer
    })
    if (!filed) throw inProgress()
    return filed
  })
}
