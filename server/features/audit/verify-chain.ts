import type { ChainFault } from '../../../shared/chain-faults.ts'
import { isChainWarning } from '../../../shared/chain-faults.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import type { AnchorFile } from '../../platform/anchors.ts'
import { newId } from '../../platform/ids.ts'
import { anchorChain } from './anchor-chain.ts'
import {
  insertVerification,
  selectHead,
  selectLastEntryId,
  selectLastVerification,
  selectLate,
  selectLinks,
  selectStrangers,
  selectVanished,
} from './chain.db.ts'
import { createChainReader } from './read-chain.ts'
import { recordAudit } from './record-audit.ts'
import { sealEntries } from './seal-entries.ts'
import { type AuditRecord, canonicalEntry } from './seal-hash.ts'

/** Links, and ids, read at a time: short enough for other requests to come in between. */
const LINKS = 2_000
const IDS = 20_000
/** Milliseconds after which an entry should long have been sealed. */
const LATE = 10 * 60 * 1000
/** Faults of one kind that are told one by one. */
const TOLD = 100

/**
 * Reads the whole chain of the journal and keeps what it found: whether an entry was changed, deleted, moved or slipped in,
 * or the end cut off, and at which entry. `askedBy`: the administrator who wanted to know; null: the night.
 */
export async function verifyChain(ctx: Ctx<SystemActor>, askedBy: string | null): Promise<void> {
  const startedAt = new Date()
  await sealEntries(ctx)
  const before = await selectLastVerification(ctx.db)
  // First the anchors, then how far the chain goes by now: an anchor of meanwhile would seem to be ahead of it.
  const file = await ctx.anchors.read()
  const { checked, faults } = await readLinks(ctx, file)
  faults.push(...(await findStrangers(ctx)), ...(await findWaiting(ctx, startedAt)))
  faults.push(...judgeFile(file, before))
  await anchorChain(ctx)

  await inTransaction(ctx, async (tx) => {
    await insertVerification(tx.db, {
      id: newId(),
      started_at: startedAt,
      finished_at: new Date(),
      checked,
      faults: JSON.stringify(faults),
      asked_by: askedBy,
    })
    const isWhole = faults.every(({ kind }) => isChainWarning(kind))
    await recordAudit(tx, { action: 'log.verified', outcome: isWhole ? 'ok' : 'failed' })
  })
  for (const { kind, entryId, position, count } of faults) {
    const level = isChainWarning(kind) ? 'warn' : 'error'
    ctx.log[level]('audit chain: fault', { kind, entry: entryId, position, count })
  }
}

async function readLinks({ db }: Ctx, { anchors }: AnchorFile) {
  const reader = createChainReader(anchors)
  const end = (await selectHead(db))?.position ?? 0
  let links = await selectLinks(db, 0, LINKS)
  for (let last = links.at(-1); last; last = links.at(-1)) {
    // The database fetches the next ones while these are hashed.
    const next = last.position < end ? selectLinks(db, last.position, LINKS) : []
    for (const { position, event_id, hash, ...entry } of links) {
      if (position > end) break
      const isThere = entry.id !== null
      reader.read({
        position,
        entryId: event_id,
        hash,
        entry: isThere ? canonicalEntry(entry as AuditRecord) : null,
      })
    }
    links = await next
  }
  const { count: checked, faults } = reader.finish()
  return { checked, faults }
}

/** Entries that came in past the product: nothing has put them down to be sealed. */
async function findStrangers({ db }: Ctx): Promise<ChainFault[]> {
  const end = await selectLastEntryId(db)
  const ids: number[] = []
  for (let from = 1; from <= end; from += IDS) {
    ids.push(...(await selectStrangers(db, from, Math.min(end, from + IDS - 1))))
  }
  return tell('inserted', ids)
}

async function findWaiting({ db }: Ctx, now: Date): Promise<ChainFault[]> {
  const vanished = await selectVanished(db, TOLD)
  const late = await selectLate(db, new Date(now.getTime() - LATE))
  const { first, count } = late
  return [
    ...tell('deleted', vanished),
    ...(count > 0 ? [{ kind: 'late' as const, entryId: first, position: null, count }] : []),
  ]
}

function tell(kind: ChainFault['kind'], ids: readonly number[]): ChainFault[] {
  const told = ids.slice(0, TOLD).map((entryId) => ({ kind, entryId, position: null, count: 1 }))
  const count = ids.length - told.length
  return count > 0 ? [...told, { kind: 'more', entryId: null, position: null, count }] : told
}

/** The last verification has anchored what it read: where no anchor is as old, the file is another one. */
function judgeFile(
  { anchors, badLines }: AnchorFile,
  before: { checked: number; finished_at: Date } | undefined,
): ChainFault[] {
  const first = anchors[0]
  const isNewer =
    before !== undefined && before.checked > 0 && (!first || new Date(first.at) > before.finished_at)
  return [
    ...(badLines.length > 0 ? [warn('anchors-edited', badLines.length)] : []),
    ...(isNewer ? [warn('anchors-missing', 1)] : []),
  ]
}

const warn = (kind: ChainFault['kind'], count: number): ChainFault => ({
  kind,
  entryId: null,
  position: null,
  count,
})
