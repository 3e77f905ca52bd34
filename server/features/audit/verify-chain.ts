import type { ChainFault } from '../../../shared/audit/chain-faults.ts'
import { isChainWarning } from '../../../shared/audit/chain-faults.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import type { CheckpointFile } from '../../platform/crypto/checkpoints.ts'
import { newId } from '../../platform/ids.ts'
import { errorFields } from '../../platform/log.ts'
import { appendToChain } from './append-to-chain.ts'
import {
  insertVerification,
  selectDelayed,
  selectHead,
  selectLastVerification,
  selectLastVerifiedPosition,
  selectLinks,
  selectMissing,
  selectUnchainedOld,
} from './chain.db.ts'
import { type AuditRecord, canonicalEntry } from './chain-hash.ts'
import { createChainReader } from './read-chain.ts'
import { recordAudit } from './record-audit.ts'
import { writeCheckpoint } from './write-checkpoint.ts'

/** Links and entries read per query, few enough not to delay other requests. */
const LINKS_PER_BATCH = 2_000
const ENTRIES_PER_BATCH = 20_000
/** Age at which an entry without a link in the chain is reported as `late`. */
const DELAYED_AFTER_MS = 10 * 60 * 1000
/** Age at which such an entry is reported as `unsealed`: appending to the chain is blocked. */
const BLOCKED_AFTER_MS = 60 * 60 * 1000
/** Faults of one kind that are listed one by one. */
const MAX_FAULTS_LISTED = 100

/**
 * Verifies the whole audit chain and stores the faults: entries changed, deleted, moved, inserted or cut off
 * at the end. `requestedBy` is the id of the administrator who requested it; null for the nightly run.
 */
export async function verifyChain(ctx: Ctx<SystemActor>, requestedBy: string | null): Promise<void> {
  const startedAt = new Date()
  // A failure to append must not prevent the verification that would reveal it.
  await appendToChain(ctx).catch((error: unknown) =>
    ctx.services.log.error('audit chain: entries not appended', errorFields(error)),
  )
  const before = await selectLastVerification(ctx.db)
  // Checkpoints are read before the head of the chain: a checkpoint written in between would appear to be
  // ahead of it.
  const file = await ctx.services.checkpoints.read()
  const { checked, position, faults } = await readLinks(ctx, file)
  faults.push(...(await findUnchained(ctx)), ...(await findDelayed(ctx, startedAt)))
  faults.push(...checkCheckpointFile(file, before))
  await writeCheckpoint(ctx)

  await inTransaction(ctx, async (tx) => {
    await insertVerification(tx.db, {
      id: newId(),
      started_at: startedAt,
      finished_at: new Date(),
      checked,
      faults: JSON.stringify(faults),
      asked_by: requestedBy,
    })
    const isIntact = faults.every(({ kind }) => isChainWarning(kind))
    await recordAudit(tx, {
      action: 'log.verified',
      outcome: isIntact ? 'ok' : 'failed',
      changes: { position: { to: position }, faults: { to: countFaults(faults) } },
    })
  })
  for (const { kind, entryId, position, count } of faults) {
    const level = isChainWarning(kind) ? 'warn' : 'error'
    ctx.services.log[level]('audit chain: fault', { kind, entry: entryId, position, count })
  }
}

/** Counts faults; `more` counts as the number in it. */
const countFaults = (faults: readonly ChainFault[]): number =>
  faults.reduce((sum, { kind, count }) => sum + (kind === 'more' ? count : 1), 0)

async function readLinks({ db, services }: Ctx, { checkpoints }: CheckpointFile) {
  const reader = createChainReader(services.chainKey, checkpoints, await selectLastVerifiedPosition(db))
  const end = (await selectHead(db))?.position ?? 0
  let links = await selectLinks(db, 0, LINKS_PER_BATCH)
  for (let last = links.at(-1); last; last = links.at(-1)) {
    // The database fetches the next links while these are hashed.
    const next = last.position < end ? selectLinks(db, last.position, LINKS_PER_BATCH) : []
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

/** Finds entries that were inserted without the product: they are neither in the chain nor queued for it. */
async function findUnchained({ db }: Ctx): Promise<ChainFault[]> {
  const ids: string[] = []
  let page = await selectUnchainedOld(db, null, ENTRIES_PER_BATCH)
  while (page.last !== null) {
    ids.push(...page.unchained)
    page = await selectUnchainedOld(db, page.last, ENTRIES_PER_BATCH)
  }
  return toFaults('inserted', ids)
}

async function findDelayed({ db }: Ctx, now: Date): Promise<ChainFault[]> {
  const missing = await selectMissing(db, MAX_FAULTS_LISTED)
  const [delayedBefore, blockedBefore] = [DELAYED_AFTER_MS, BLOCKED_AFTER_MS].map(
    (milliseconds) => new Date(now.getTime() - milliseconds),
  ) as [Date, Date]
  const delayed = [
    { kind: 'unsealed' as const, ...(await selectDelayed(db, null, blockedBefore)) },
    { kind: 'late' as const, ...(await selectDelayed(db, blockedBefore, delayedBefore)) },
  ]
  return [
    ...toFaults('deleted', missing),
    ...delayed
      .filter(({ count }) => count > 0)
      .map(({ kind, first, count }) => ({ kind, entryId: first, position: null, count })),
  ]
}

function toFaults(kind: ChainFault['kind'], ids: readonly string[]): ChainFault[] {
  const listed = ids
    .slice(0, MAX_FAULTS_LISTED)
    .map((entryId) => ({ kind, entryId, position: null, count: 1 }))
  const count = ids.length - listed.length
  return count > 0 ? [...listed, { kind: 'more', entryId: null, position: null, count }] : listed
}

/**
 * Warns if the checkpoint file was edited or replaced: the last verification wrote a checkpoint, so the file
 * must contain one at least as old.
 */
function checkCheckpointFile(
  { checkpoints, badLines }: CheckpointFile,
  before: { checked: number; finished_at: Date } | undefined,
): ChainFault[] {
  const first = checkpoints[0]
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
