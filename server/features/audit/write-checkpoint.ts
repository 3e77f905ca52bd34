import type { Ctx } from '../../context.ts'
import { selectChainHash, selectHead } from './chain.db.ts'

/**
 * Writes down outside the database where the chain stands, once for each place. It is committed by then, so an anchor is
 * never ahead of the chain, also after a crash. A chain that is no longer what the last anchor says is not signed: the
 * new anchor would vouch for whoever changed it.
 */
export async function writeCheckpoint({ db, services: { checkpoints: anchors, log } }: Ctx): Promise<void> {
  const last = await anchors.readLast()
  if (last) {
    const stored = await selectChainHash(db, last.position)
    if (stored?.toString('hex') !== last.hash) {
      log.error('audit chain: not anchored, it is not what the last anchor says', {
        position: last.position,
        isThere: stored !== undefined,
      })
      return
    }
  }
  const head = await selectHead(db)
  if (!head || head.position === last?.position) return
  await anchors.append({
    at: new Date().toISOString(),
    position: head.position,
    hash: head.hash.toString('hex'),
  })
}
