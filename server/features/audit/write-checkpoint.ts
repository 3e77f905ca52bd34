import type { Ctx } from '../../context.ts'
import { selectChainHash, selectHead } from './chain.db.ts'

/**
 * Writes the head of the chain outside the database, at most once per position. The head is already
 * committed, so even after a crash no checkpoint is ahead of the chain. Writes nothing if the chain differs
 * from the last checkpoint, because a new one would confirm the manipulation.
 */
export async function writeCheckpoint({ db, services: { checkpoints, log } }: Ctx): Promise<void> {
  const last = await checkpoints.readLast()
  if (last) {
    const stored = await selectChainHash(db, last.position)
    if (stored?.toString('hex') !== last.hash) {
      log.error('audit chain: no checkpoint, the chain differs from the last one', {
        position: last.position,
        isThere: stored !== undefined,
      })
      return
    }
  }
  const head = await selectHead(db)
  if (!head || head.position === last?.position) return
  await checkpoints.append({
    at: new Date().toISOString(),
    position: head.position,
    hash: head.hash.toString('hex'),
  })
}
