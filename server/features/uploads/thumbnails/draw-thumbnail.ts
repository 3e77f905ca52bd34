import sharp from 'sharp'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { drawPage, openPdf, openPicture } from '../inspection/draw-pages.ts'

export type ThumbnailTask = { kind: 'pdf' | 'image' }

export const THUMBNAIL = {
  /** Pixels of the longer side. */
  side: 320,
  /** As the database checks it. */
  maxBytes: 30 * 1024,
} as const
/** A page is drawn larger than its thumbnail, so that thin lines stay visible. */
const DRAWN_SIDE = 2 * THUMBNAIL.side
/** Tried in this order until the picture is small enough. */
const QUALITIES = [70, 45, 20]

/**
 * Returns a WebP of a picture or of the first page of a PDF, in base 64; null if none is small enough. It may throw
 * or never return: call it in the sandbox.
 */
export async function drawThumbnail({ kind }: ThumbnailTask, file: OpenedFile): Promise<string | null> {
  const source = kind === 'pdf' ? await openFirstPage(file) : await openPicture(file)
  const { data, info } = await source
    .resize(THUMBNAIL.side, THUMBNAIL.side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const quality of QUALITIES) {
    const webp = await sharp(data, { raw: info }).webp({ quality }).toBuffer()
    if (webp.length <= THUMBNAIL.maxBytes) return webp.toString('base64')
  }
  return null
}

async function openFirstPage(file: OpenedFile) {
  const { data, width, height } = await drawPage(await openPdf(file), 1, DRAWN_SIDE)
  return sharp(data, { raw: { width, height, channels: 4 } })
}
