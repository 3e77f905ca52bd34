import type { Ctx } from '../../context.ts'
import { findActorOfAccount } from '../accounts/sessions/find-actor.ts'
import { queueMessage } from '../messages/queue-message.ts'
import { linkOfPatient } from './share-link.ts'

/** Mails the maker of a share that wrong proofs have ended it; not one whose account is not active. */
export async function notifyShareEnded(
  tx: Ctx,
  { created_by, patient_id }: { created_by: string; patient_id: string },
): Promise<void> {
  const maker = await findActorOfAccount(tx.db, created_by)
  if (!maker) return
  await queueMessage(tx, {
    to: { name: maker.name, address: maker.email },
    content: { kind: 'share-ended', link: await linkOfPatient(tx, patient_id), at: tx.now },
    about: { type: 'user', id: maker.id },
  })
}
