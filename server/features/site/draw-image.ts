import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import type { SiteImageKind } from '../../../shared/site/setting-bounds.ts'

export type DrawTask = { kind: SiteImageKind /** base64 */; bytes: string }
export type DrawnImage =
  | { fault: null; type: string; width: number; height: number /** base64 */; bytes: string }
  | { fault: 'type' | 'pixels' | 'damaged' }

const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])
/** A picture of this many is read; more is a trap. */
const MAX_PIXELS = 40_000_000
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/**
 * Draws anew a picture that somebody sent: the pixels alone, no larger than its place needs. What it is says its content.
 * A favicon is a square PNG, the others are WebP. Throws, or never returns, on what the decoders cannot bear: run it where
 * that does no harm.
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
  // Also what telephones put on their first screen.
  if (kind === 'favicon') return picture.resize(180, 180, { fit: 'contain', background: TRANSPARENT }).png()
  const height = kind === 'logo' ? 400 : 200
  return picture.resize(800, height, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 90 })
}
