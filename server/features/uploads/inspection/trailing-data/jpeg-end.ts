import { type FileBytes, findBytes } from './file-bytes.ts'

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const MARK = Buffer.from([0xff])

/** Whether the marker has no length: restarts, the start of an image, and one for temporary use. */
const isAlone = (code: number) => (code >= 0xd0 && code <= 0xd8) || code === 0x01
/** Whether `FF` and this byte are data of a scan: a stuffed zero, a fill byte or a restart. */
const isInScan = (code: number) => code === 0x00 || code === 0xff || (code >= 0xd0 && code <= 0xd7)

/** Returns the position after the end marker of the JPEG that begins at `start`; null if it has none. */
export function findJpegEnd(file: FileBytes, start = 0, end = file.size): number | null {
  let at = start + 2
  for (;;) {
    const marker = findMarker(file, at, end)
    if (marker === null) return null
    at = marker.at + 2
    if (marker.code === END_OF_IMAGE) return at
    if (isAlone(marker.code)) continue
    if (at + 2 > end) return null
    const length = file.read(at, at + 2).readUInt16BE(0)
    if (length < 2) return null
    at += length
    // A scan has no length; the next marker is searched in its data.
    if (marker.code === START_OF_SCAN && at > end) return null
  }
}

/** Returns the next marker; decoders skip other bytes before it, and the data of a scan has none. */
function findMarker(file: FileBytes, from: number, end: number): { at: number; code: number } | null {
  for (let at = findBytes(file, MARK, from, end); at >= 0; at = findBytes(file, MARK, at + 1, end)) {
    if (at + 1 >= end) return null
    const code = file.read(at, at + 2)[1]!
    if (!isInScan(code)) return { at, code }
  }
  return null
}
