import { isRunnable } from '../content/recognise-program.ts'
import { isOtherArchive, isPdf, isZip } from '../content/signatures.ts'
import type { FileBytes } from './file-bytes.ts'

/** The directory: `SEFH`, version, number of blocks, 12 bytes for each; then its length and `SEFT`. */
const DIRECTORY_HEAD_BYTES = 12
const ENTRY_BYTES = 12
const FOOT_BYTES = 8
const MAX_BLOCKS = 100
/** Bytes between the blocks that belong to none. */
const MAX_GAPS = 1024
const MAX_NAME_BYTES = 100

/**
 * Returns where the blocks begin that Samsung phones write after an image, to the end of the file: the time, a
 * film, a depth map. Returns null if the file does not end with them, or a block is a program, an archive or a
 * document.
 */
export function findSamsungTrailer(file: FileBytes, from: number): number | null {
  const foot = file.read(file.size - FOOT_BYTES, file.size)
  if (file.size - from < FOOT_BYTES + DIRECTORY_HEAD_BYTES || foot.toString('latin1', 4) !== 'SEFT')
    return null
  const length = foot.readUInt32LE(0)
  const directoryAt = file.size - FOOT_BYTES - length
  if (length < DIRECTORY_HEAD_BYTES || length > DIRECTORY_HEAD_BYTES + ENTRY_BYTES * MAX_BLOCKS + MAX_GAPS)
    return null
  if (directoryAt < from) return null
  const directory = Buffer.from(file.read(directoryAt, directoryAt + length))
  const count = directory.readUInt32LE(8)
  if (directory.toString('latin1', 0, 4) !== 'SEFH' || count > MAX_BLOCKS) return null
  if (DIRECTORY_HEAD_BYTES + count * ENTRY_BYTES > length) return null
  return findBlocks(file, from, directoryAt, directory, count)
}

function findBlocks(
  file: FileBytes,
  from: number,
  directoryAt: number,
  directory: Buffer,
  count: number,
): number | null {
  let start = directoryAt
  let covered = 0
  for (let index = 0; index < count; index += 1) {
    const at = DIRECTORY_HEAD_BYTES + index * ENTRY_BYTES
    const blockAt = directoryAt - directory.readUInt32LE(at + 4)
    const size = directory.readUInt32LE(at + 8)
    if (blockAt < from || blockAt + size > directoryAt || size < 8) return null
    const block = file.read(blockAt, Math.min(blockAt + size, blockAt + 4096))
    const nameBytes = block.readUInt32LE(4)
    const isBlock = block.readUInt16LE(2) === directory.readUInt16LE(at + 2) && nameBytes <= MAX_NAME_BYTES
    if (!isBlock || isForeign(block.subarray(8 + nameBytes))) return null
    start = Math.min(start, blockAt)
    covered += size
  }
  return directoryAt - start <= covered + MAX_GAPS ? start : null
}

const isForeign = (data: Buffer) => isRunnable('', data) || isZip(data) || isOtherArchive(data) || isPdf(data)
