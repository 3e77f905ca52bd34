import type { UserCtx } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { getFile } from '../files/open-file.ts'
import { canSeeThumbnails } from '../uploads.access.ts'
import { selectThumbnail } from './thumbnails.db.ts'

/**
 * Returns the thumbnail, a WebP, of a file that the actor may read. Throws like `getFile`, and NOT_FOUND if there is
 * none or the actor sees none. It is no opening of the file, and not recorded: the list that shows it is.
 */
export async function getThumbnail(ctx: UserCtx, fileId: string): Promise<Buffer> {
  if (!canSeeThumbnails(ctx.actor)) throw notFound('file')
  const { file } = await getFile(ctx, fileId, 'preview')
  const thumbnail = await selectThumbnail(ctx.db, file.id)
  if (!thumbnail) throw notFound('thumbnail')
  return thumbnail
}
