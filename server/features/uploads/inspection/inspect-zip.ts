import { fromFdPromise } from 'yauzl'
import { stripInvisible } from '../../../../shared/invisible-characters.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { type Inspection, rejectFile } from './inspection.ts'

const MAX_ENTRIES = 2_000
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3
const MAX_RATIO = 100
/** Below this size, a small archive of very regular text may exceed MAX_RATIO without being harmful. */
const RATIO_FLOOR_BYTES = 10 * 1024 ** 2
const MAX_NAMES = 200
/**
 * Characters saved of a name. The database rejects a surrogate pair cut in half, which would block the
 * upload.
 */
const MAX_NAME_LENGTH = 300
/** The bits of the Unix file mode that carry the kind of an entry, and their value for a symbolic link. */
const KIND_MASK = 0o170000
const SYMLINK = 0o120000

/** Lists an archive without unpacking it. Rejects one that would harm the computer that unpacks it. */
export async function inspectZip(file: OpenedFile, type: string): Promise<Inspection> {
  const names: string[] = []
  let entries = 0
  let packed = 0
  let unpacked = 0
  let directoryEnd = 0
  try {
    const zip = await fromFdPromise(file.descriptor, { strictFileNames: true, autoClose: false })
    if (zip.entryCount > MAX_ENTRIES) return rejectFile('zip-suspicious')
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return rejectFile('zip-encrypted')
      const isFolder = entry.fileName.endsWith('/')
      if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === SYMLINK) return rejectFile('zip-suspicious')
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      directoryEnd = Math.max(directoryEnd, entry.relativeOffsetOfLocalHeader + entry.compressedSize)
      // More bytes than the archive has: overlapping entries, the most effective kind of ZIP bomb.
      if (packed > zip.fileSize || directoryEnd > zip.fileSize) return rejectFile('zip-suspicious')
      if (unpacked > MAX_UNPACKED_BYTES) return rejectFile('zip-suspicious')
      if (isFolder) continue
      entries += 1
      if (names.length < MAX_NAMES)
        names.push(stripInvisible(entry.fileName).slice(0, MAX_NAME_LENGTH).toWellFormed())
    }
  } catch (error) {
    const unsafe = error instanceof Error && /^(invalid|absolute|invalid relative)/.test(error.message)
    return rejectFile(unsafe ? 'zip-suspicious' : 'damaged')
  }
  if (unpacked > RATIO_FLOOR_BYTES && unpacked > packed * MAX_RATIO) return rejectFile('zip-suspicious')
  const kind = type === 'application/zip' ? 'zip' : 'other'
  const facts = kind === 'zip' ? { entries, names, unpacked } : {}
  return { accepted: true, kind, type, pageCount: null, text: null, facts }
}
