import { isRunnableName } from '../../../shared/uploads/runnable-names.ts'
import { type Ctx, type IntegrationActor, inTransaction } from '../../context.ts'
import {
  addIntegrationTransfer,
  findIntegrationTransfer,
  type IntegrationTransfer,
} from '../uploads/transfers/integration-transfers.ts'
import { inSenderSlot } from '../uploads/transfers/sender-slots.ts'
import { transferIdOf } from '../uploads/transfers/transfer-id.ts'
import { selectIntake } from './intake.db.ts'
import { notAccepted, otherDocument } from './intake-errors.ts'

/** A document that an integration is about to send in several requests. */
export type AnnouncedDocument = { key: string; name: string; size: number; sha256: Buffer }

/**
 * Begins the transfer of a document, which the caller has locked, or returns the one that has the key: also a finished one, if
 * the document was received. Throws IDEMPOTENCY_CONFLICT if the key has another document.
 */
export async function beginIntakeTransfer(
  ctx: Ctx<IntegrationActor>,
  { key, ...document }: AnnouncedDocument,
): Promise<IntegrationTransfer> {
  const id = transferIdOf(ctx.actor.id, key)
  const begin = async (tx: Ctx<IntegrationActor>) => {
    const received = await selectIntake(tx.db, tx.actor.id, key)
    const begun = await findIntegrationTransfer(tx, id)
    const known = received ?? begun
    if (known && !(known.size === document.size && known.sha256.equals(document.sha256)))
      throw otherDocument()
    if (begun && (begun.state === 'finished' || !received)) return begun
    if (!received && isRunnableName(document.name)) throw notAccepted()
    return addIntegrationTransfer(tx, { id, ...document }, received?.file_id ?? null)
  }
  return inSenderSlot(ctx.actor.id, () => inTransaction(ctx, begin))
}
