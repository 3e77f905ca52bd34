import type { FileBytes } from './file-bytes.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME_BYTES = 12

/** Returns the position after the chunk IEND of a PNG; null if it has none. */
export function findPngEnd(file: FileBytes): number | null {
  let at = SIGNATURE_BYTES
  while (at + CHUNK_FRAME_BYTES <= file.size) {
    const header = file.read(at, at + 8)
    const isLast = header.toString('latin1', 4, 8) === 'IEND'
    at += header.readUInt32BE(0) + CHUNK_FRAME_BYTES
    if (isLast) return at <= file.size ? at : null
  }
  return null
}
