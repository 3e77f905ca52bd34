import type { Ctx, SystemActor } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { selectUsedKeys } from './system.db.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long bytes without a row stay: also the time in which a database that was restored from an older backup is noticed. */
const UNUSED_TTL_MS = 7 * DAY_MS
/** More in one night are no leftovers of killed servers: the database is not the one of these files. */
const MAX_DELETED = 200
/** Keys looked up by one statement. */
const BATCH_SIZE = 1_000

/**
 * Deletes stored bytes that no row has: those that a server was killed with, between storing them and its commit, or between the
 * mark of a deletion and the deletion. A night has the keys of one hex digit, so that all have their turn in sixteen. Deletes
 * nothing, and logs an error, if there are more than some, or more than bytes that rows have.
 */
export async function deleteUnusedFiles(ctx: Ctx<SystemActor>): Promise<void> {
  const { storage, log } = ctx.services
  const before = new Date(ctx.now.getTime() - UNUSED_TTL_MS)
  const digit = (Math.floor(ctx.now.getTime() / DAY_MS) % 16).toString(16)
  const unused: string[] = []
  let used = 0
  for await (const keys of storage.list(digit))
    for (let from = 0; from < keys.length; from += BATCH_SIZE) {
      const batch = keys.slice(from, from + BATCH_SIZE)
      const known = await selectUsedKeys(ctx.db, batch)
      used += known.size
      for (const key of batch) {
        if (known.has(key)) continue
        const storedAt = await storage.storedAt(key)
        if (storedAt && storedAt < before) unused.push(key)
      }
    }
  if (unused.length === 0) return
  if (unused.length > Math.min(used, MAX_DELETED)) {
    log.error('storage: too many files without a row, none is deleted', { files: unused.length, used })
    return
  }
  for (const key of unused) await storage.remove(key)
  await recordAudit(ctx, { action: 'upload.sweep', changes: { files: { to: unused.length } } })
  log.info('storage: files without a row deleted', { files: unused.length })
}
