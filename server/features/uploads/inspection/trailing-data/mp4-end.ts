import type { FileBytes } from './file-bytes.ts'

/** Returns the position after the film (MP4) that begins at `start`; null if none begins there. */
export function findMp4End(file: FileBytes, start: number, end: number): number | null {
  let at = start
  while (at + 8 <= end) {
    const header = file.read(at, at + 16)
    const type = header.toString('latin1', 4, 8)
    if (at === start ? type !== 'ftyp' : !/^[\w -]{4}$/.test(type)) break
    const size = readBoxSize(header, end - at)
    if (size === null || at + size > end) break
    at += size
  }
  return at === start ? null : at
}

/** Returns the bytes of a box with its header; 0 means up to the end of the film. */
function readBoxSize(header: Buffer, remaining: number): number | null {
  const size = header.readUInt32BE(0)
  if (size === 0) return remaining
  if (size !== 1) return size < 8 ? null : size
  const large = header.length < 16 ? 0 : Number(header.readBigUInt64BE(8))
  return large < 16 ? null : large
}
