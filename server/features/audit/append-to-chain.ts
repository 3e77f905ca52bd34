import type { KeyObject } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { hasUnchained, insertChainLinks, selectHead, selectUnchained, tryLockChain } from './chain.db.ts'
import { CHAIN_START, canonicalEntry, chainHash } from './chain-hash.ts'

/** Entries appended per transaction. */
const BATCH_SIZE = 1_000

/**
 * Appends all waiting entries to the chain, oldest first, and returns how many it appended. Only one server
 * appends at a time; the others return without waiting for it.
 */
export async function appendToChain({ db, services }: Ctx): Promise<number> {
  if (!(await hasUnchained(db))) return 0
  let appended = 0
  for (;;) {
    const count = await db.transaction().execute((tx) => appendBatch(tx, services.chainKey))
    appended += count
    if (count < BATCH_SIZE) return appended
  }
}

async function appendBatch(db: Db, key: KeyObject): Promise<number> {
  if (!(await tryLockChain(db))) return 0
  const entries = await selectUnchained(db, BATCH_SIZE)
  if (entries.length === 0) return 0
  const head = await selectHead(db)
  let { position, hash } = head ?? { position: 0, hash: CHAIN_START }
  const links = entries.map((entry) => {
    position += 1
    if (!Number.isSafeInteger(position)) throw new Error('the audit chain has no position left')
    hash = chainHash(key, hash, position, canonicalEntry(entry))
    return { position, event_id: entry.id, hash }
  })
  await insertChainLinks(db, links)
  return entries.length
}
