import type { Ctx, SystemActor } from '../../../context.ts'
import { authorIdOf } from '../uploads.access.ts'
import { selectUnreadFiles } from './readings.db.ts'

/** More are read by the check at the latest. */
const MAX_FILES = 1_000

/** Enqueues the readings that the last server did not finish, and those of files that arrived before there were readings. */
export async function resumeReadings(ctx: Ctx<SystemActor>): Promise<void> {
  for (const file of await selectUnreadFiles(ctx.db, MAX_FILES))
    await ctx.services.jobs.enqueue(ctx.db, 'read-file', { fileId: file.id, authorId: authorIdOf(file) })
}
