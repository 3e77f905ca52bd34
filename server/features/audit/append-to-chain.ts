import type { KeyObject } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database/database.ts'
import { hasUnchained, insertChainLinks, selectHead, selectUnchained, tryLockChain } from './chain.db.ts'
import { CHAIN_START, canonicalEntry, chainHash } from './chain-hash.ts'

/** Entries that one transaction seals. */
const BATCH_SIZE = 1_000

/**
 * Links the entries that wait into the chain, oldest first, until none does. Of several servers one seals at a time; the
 * others leave it to that one. Answers how many it has sealed.
 */
export async function appendToChain({ db, services }: Ctx): Promise<number> {
  if (!(await hasUnchained(db))) return 0
  let sealed = 0
  for (;;) {
    const count = await db.transaction().execute((tx) => appendBatch(tx, services.chainKey))
    sealed += count
    if (count < BATCH_SIZE) return sealed
  }
}

async function appendBatch(db: Db, key: KeyObject): Promise<number> {
  if (!(await tryLockChain(db))) return 0
  const entries = await selectUnchained(db, BATCH_SIZE)
  if (entries.length === 0) return 0
  const head = await selectHead(db)
  let { position, hash } = head ?? { position: 0, hash: CHAIN_START }
  const seals = entries.map((entry) => {
    position += 1
    if (!Number.isSafeInteger(position)) throw new Error('the chain of the journal has no place left')
    hash = chainHash(key, hash, position, canonicalEntry(entry))
    return { position, event_id: entry.id, hash }
  })
  await insertChainLinks(db, seals)
  return entries.length
}
