import type { Ctx, SystemActor } from '../../../context.ts'
import { SandboxFailure } from '../../../platform/sandbox/sandbox.ts'
import type { ThumbnailTask } from './draw-thumbnail.ts'
import { type FileToDraw, selectFilesToDraw, updateThumbnail } from './thumbnails.db.ts'

const WORKER = new URL('./draw-thumbnail-worker.ts', import.meta.url)
/** Seconds of processor time for one file. */
const SECONDS = 10

/**
 * Draws the thumbnails of an upload's accepted pictures and PDFs, one after the other, as tasks of its author. A file
 * of which none can be drawn has none.
 */
export async function drawThumbnails(
  ctx: Ctx<SystemActor>,
  { uploadId, authorId }: { uploadId: string; authorId: string },
): Promise<void> {
  for (const file of await selectFilesToDraw(ctx.db, uploadId)) {
    const thumbnail = await draw(ctx, file, authorId)
    if (thumbnail) await updateThumbnail(ctx.db, file.id, Buffer.from(thumbnail, 'base64'))
  }
}

async function draw(
  { services: { lanes, log, sandbox, storage } }: Ctx,
  { id, kind, storage_key }: FileToDraw,
  authorId: string,
): Promise<string | null> {
  const limits = { seconds: SECONDS, memory: lanes.memory }
  const file = await storage.open(storage_key)
  try {
    return await lanes.run(authorId, (turn) =>
      sandbox.run<ThumbnailTask, string | null>(WORKER, { kind }, { limits, file, ...turn }),
    )
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    log.info('upload: a file has no thumbnail', { file: id })
    return null
  } finally {
    await file.close()
  }
}
