import { IMPORT_LIMITS } from '../../../shared/imports/patient-imports.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { deleteImport, selectImportsBefore, selectRunningImports } from './imports.db.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Deleted by one job; the rest follows in the next night. */
const MAX_DELETED = 200

/** Enqueues the imports that the last server did not finish; they go on at the row where it ended. */
export async function resumeImports(ctx: Ctx<SystemActor>): Promise<void> {
  for (const { id, created_by } of await selectRunningImports(ctx.db))
    await ctx.services.jobs.enqueue(ctx.db, 'import-patients', { importId: id, authorId: created_by })
}

/** Deletes old imports with their rows, then their files: a crash in between leaves only bytes without a row. */
export async function deleteOldImports(ctx: Ctx<SystemActor>): Promise<void> {
  const time = new Date(ctx.now.getTime() - IMPORT_LIMITS.days * DAY_MS)
  for (const { id, storage_key } of await selectImportsBefore(ctx.db, time, MAX_DELETED)) {
    await inTransaction(ctx, (tx) => deleteImport(tx.db, id))
    await ctx.services.storage.remove(storage_key)
  }
}
