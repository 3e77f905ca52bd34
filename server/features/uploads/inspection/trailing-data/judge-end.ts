import type { FileBytes } from './file-bytes.ts'
import { findJpegEnd } from './jpeg-end.ts'
import { findMp4End } from './mp4-end.ts'
import { findPdfEnd } from './pdf-end.ts'
import { findPngEnd } from './png-end.ts'
import { findSamsungTrailer } from './samsung-trailer.ts'

/** Bytes of other data that may follow the end of a document or an image (E05). */
export const MAX_TRAILING_BYTES = 1024

/**
 * What follows the end: nothing that matters; the further images and films of a phone's photo; data of another
 * kind; or the end itself is missing.
 */
export type End = 'clean' | 'media' | 'foreign' | 'missing'

export const judgePdfEnd = (file: FileBytes): End => {
  const end = findPdfEnd(file, MAX_TRAILING_BYTES)
  if (end === null) return 'missing'
  return countForeign(file, end) > MAX_TRAILING_BYTES ? 'foreign' : 'clean'
}

export const judgePngEnd = (file: FileBytes): End => judgeImageEnd(file, findPngEnd(file))
export const judgeJpegEnd = (file: FileBytes): End => judgeImageEnd(file, findJpegEnd(file))

/** Zeros and line ends that fill up a block are not counted, however many there are. */
const isPadding = (byte: number) =>
  byte === 0x00 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x20

/** Returns the position of the first byte at or after `at` that is no padding. */
function skipPadding(file: FileBytes, at: number, end: number): number {
  for (let start = at; start < end; ) {
    const bytes = file.readSome(start)
    const found = bytes.findIndex((byte) => !isPadding(byte))
    if (found >= 0) return Math.min(end, start + found)
    start += bytes.length
  }
  return end
}

/** Returns the bytes after `end` without padding at their start; more than the limit is enough to know. */
function countForeign(file: FileBytes, end: number): number {
  const start = skipPadding(file, end, file.size)
  const tail = file.read(start, Math.min(file.size, start + MAX_TRAILING_BYTES))
  const isMore = skipPadding(file, start + tail.length, file.size) < file.size
  return isMore ? MAX_TRAILING_BYTES + 1 : tail.length
}

/**
 * Phones append complete JPEGs (multi-picture format, Ultra HDR), a film, and blocks of Samsung. What is none of
 * these counts as foreign.
 */
function judgeImageEnd(file: FileBytes, imageEnd: number | null): End {
  if (imageEnd === null) return 'missing'
  const end = findSamsungTrailer(file, imageEnd) ?? file.size
  let hasMedia = file.size - end > MAX_TRAILING_BYTES
  let foreign = 0
  let at = skipPadding(file, imageEnd, end)
  while (at < end) {
    const mediaEnd = findMediaEnd(file, at, end)
    if (mediaEnd === null) {
      foreign += 1
      if (foreign > MAX_TRAILING_BYTES) return 'foreign'
      at += 1
    } else {
      hasMedia = true
      at = mediaEnd
    }
    at = skipPadding(file, at, end)
  }
  return hasMedia ? 'media' : 'clean'
}

function findMediaEnd(file: FileBytes, at: number, end: number): number | null {
  const start = file.read(at, Math.min(end, at + 8))
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return findJpegEnd(file, at, end)
  // A film begins with its length, whose zeros were skipped as padding.
  for (let zeros = 0; zeros < 4; zeros += 1) {
    if (start.toString('latin1', 4 - zeros, 8 - zeros) === 'ftyp') return findMp4End(file, at - zeros, end)
  }
  return null
}
