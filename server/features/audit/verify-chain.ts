import type { ChainFault } from '../../../shared/chain-faults.ts'
import { isChainWarning } from '../../../shared/chain-faults.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import type { AnchorFile } from '../../platform/anchors.ts'
import { newId } from '../../platform/ids.ts'
import { errorFacts } from '../../platform/log.ts'
import { anchorChain } from './anchor-chain.ts'
import {
  insertVerification,
  selectHead,
  selectLastVerification,
  selectLate,
  selectLinks,
  selectReached,
  selectStrangers,
  selectVanished,
} from './chain.db.ts'
import { createChainReader } from './read-chain.ts'
import { recordAudit } from './record-audit.ts'
import { sealEntries } from './seal-entries.ts'
import { type AuditRecord, canonicalEntry } from './seal-hash.ts'

/** Links, and entries, read at a time: short enough for other requests to come in between. */
const LINKS = 2_000
const ENTRIES = 20_000
/** Milliseconds after which an entry should long have been sealed, and after which somebody must be in the way. */
const LATE = 10 * 60 * 1000
const HELD_UP = 60 * 60 * 1000
/** Faults of one kind that are told one by one. */
const TOLD = 100

/**
 * Reads the whole chain of the journal and keeps what it found: whether an entry was changed, deleted, moved or slipped in,
 * or the end cut off, and at which entry. `askedBy`: the administrator who wanted to know; null: the night.
 */
export async function verifyChain(ctx: Ctx<SystemActor>, askedBy: string | null): Promise<void> {
  const startedAt = new Date()
  // Whoever stops the sealing must not stop what finds it.
  await sealEntries(ctx).catch((error: unknown) =>
    ctx.services.log.error('audit chain: not sealed', errorFacts(error)),
  )
  const before = await selectLastVerification(ctx.db)
  // First the anchors, then how far the chain goes by now: an anchor of meanwhile would seem to be ahead of it.
  const file = await ctx.services.anchors.read()
  const { checked, position, faults } = await readLinks(ctx, file)
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
    await recordAudit(tx, {
      action: 'log.verified',
      outcome: isWhole ? 'ok' : 'failed',
      changes: { position: { to: position }, faults: { to: countFaults(faults) } },
    })
  })
  for (const { kind, entryId, position, count } of faults) {
    const level = isChainWarning(kind) ? 'warn' : 'error'
    ctx.services.log[level]('audit chain: fault', { kind, entry: entryId, position, count })
  }
}

/** `more` stands for as many as it counts. */
const countFaults = (faults: readonly ChainFault[]): number =>
  faults.reduce((sum, { kind, count }) => sum + (kind === 'more' ? count : 1), 0)

async function readLinks({ db, services }: Ctx, { anchors }: AnchorFile) {
  const reader = createChainReader(services.chainKey, anchors, await selectReached(db))
  const end = (await selectHead(db))?.position ?? 0
  let links = await selectLinks(db, 0, LINKS)
  for (let last = links.at(-1); last; last = links.at(-1)) {
    // The database fetches the next ones while these are hashed.
    const next = last.position < end ? selectLinks(db, last.position, LINKS) : []
    for (const { position, event_id, hash, ...entry } of links) {
      if (position > end) break
      const record = entry.id === null ? null : (entry as AuditRecord)
      reader.read({
        position,
        entryId: event_id,
        hash,
        entry: record && canonicalEntry(record),
        at: Number(record?.at),
      })
    }
    links = await next
  }
  const { count: checked, ...found } = reader.finish()
  return { checked, ...found }
}

/** Entries that came in past the product: nothing has put them down to be sealed. */
async function findStrangers({ db }: Ctx): Promise<ChainFault[]> {
  const ids: string[] = []
  let page = await selectStrangers(db, null, ENTRIES)
  while (page.last !== null) {
    ids.push(...page.strangers)
    page = await selectStrangers(db, page.last, ENTRIES)
  }
  return tell('inserted', ids)
}

async function findWaiting({ db }: Ctx, now: Date): Promise<ChainFault[]> {
  const vanished = await selectVanished(db, TOLD)
  const [late, heldUp] = [LATE, HELD_UP].map((milliseconds) => new Date(now.getTime() - milliseconds)) as [
    Date,
    Date,
  ]
  const waiting = [
    { kind: 'unsealed' as const, ...(await selectLate(db, null, heldUp)) },
    { kind: 'late' as const, ...(await selectLate(db, heldUp, late)) },
  ]
  return [
    ...tell('deleted', vanished),
    ...waiting
      .filter(({ count }) => count > 0)
      .map(({ kind, first, count }) => ({ kind, entryId: first, position: null, count })),
  ]
}

function tell(kind: ChainFault['kind'], ids: readonly string[]): ChainFault[] {
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
