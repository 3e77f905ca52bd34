import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import type { SiteImageKind } from '../../../shared/site/setting-bounds.ts'

export type DrawTask = { kind: SiteImageKind /** base64 */; bytes: string }
export type DrawnImage =
  | { fault: null; type: string; width: number; height: number /** base64 */; bytes: string }
  | { fault: 'type' | 'pixels' | 'damaged' }

const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])
/** More pixels are rejected as a decompression bomb. */
const MAX_PIXELS = 40_000_000
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/**
 * Re-encodes an uploaded image, so that only its pixels are kept, no larger than its place needs: a favicon
 * as a square PNG, the others as WebP. The type is detected from the content. May throw or never return on
 * malicious input: run it in a sandbox.
 */
export async function drawImage({ kind, bytes }: DrawTask): Promise<DrawnImage> {
  const sent = Buffer.from(bytes, 'base64')
  const found = await fileTypeFromBuffer(sent)
  if (!found || !TYPES.has(found.mime)) return { fault: 'type' }
  try {
    const picture = sharp(sent, { limitInputPixels: MAX_PIXELS }).autoOrient()
    const drawn = await fitInto(picture, kind).toBuffer({ resolveWithObject: true })
    const { width, height, format } = drawn.info
    return { fault: null, type: `image/${format}`, width, height, bytes: drawn.data.toString('base64') }
  } catch (error) {
    const large = error instanceof Error && error.message.includes('pixel limit')
    return { fault: large ? 'pixels' : 'damaged' }
  }
}

function fitInto(picture: Sharp, kind: SiteImageKind): Sharp {
  // Also the size of the icon on a phone's home screen.
  if (kind === 'favicon') return picture.resize(180, 180, { fit: 'contain', background: TRANSPARENT }).png()
  const height = kind === 'logo' ? 400 : 200
  return picture.resize(800, height, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 90 })
}
