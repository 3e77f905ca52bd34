import { formatBytes } from '../romania/romanian.ts'
import { SITE_IMAGE_BYTES } from './setting-bounds.ts'

export const IMAGE_SIZE_MESSAGE = `Imaginea poate avea cel mult ${formatBytes(SITE_IMAGE_BYTES)}.`
export const IMAGE_TYPE_MESSAGE =
  'Imaginea trebuie să fie PNG, JPEG sau WebP. SVG și alte formate nu sunt primite.'
