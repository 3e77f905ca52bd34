import type { Ctx } from '../../context.ts'
import { selectHead } from './chain.db.ts'

/**
 * Writes down outside the database where the chain stands, once for each place. It is committed by then, so an anchor is
 * never ahead of the chain, also after a crash.
 */
export async function anchorChain({ db, anchors }: Pick<Ctx, 'db' | 'anchors'>): Promise<void> {
  const head = await selectHead(db)
  if (!head) return
  const hash = head.hash.toString('hex')
  const last = (await anchors.read()).anchors.at(-1)
  if (last?.position === head.position && last.hash === hash) return
  await anchors.append({ at: new Date().toISOString(), position: head.position, hash })
}
