import { openPromise } from 'yauzl'
import { stripInvisible } from '../../../../shared/invisible-characters.ts'
import { type Inspection, rejectFile } from './inspection.ts'

const MAX_ENTRIES = 2_000
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3
const MAX_RATIO = 100
/** A small archive of very regular text may be packed tighter than that without meaning harm. */
const RATIO_FLOOR_BYTES = 10 * 1024 ** 2
const MAX_NAMES = 200
/** Characters kept of a name. A letter cut in half would be refused by the database, and the upload never be let on. */
const MAX_NAME_LENGTH = 300
/** Where Unix keeps the kind of an entry, and the kind of a symbolic link. */
const KIND_MASK = 0o170000
const SYMLINK = 0o120000

/** Lists an archive and unpacks nothing. One that would hurt whoever unpacks it is refused. */
export async function inspectZip(path: string, type: string): Promise<Inspection> {
  const names: string[] = []
  let entries = 0
  let packed = 0
  let unpacked = 0
  let directoryEnd = 0
  try {
    const zip = await openPromise(path, { strictFileNames: true, autoClose: true })
    if (zip.entryCount > MAX_ENTRIES) return rejectFile('zip-suspicious')
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return rejectFile('zip-encrypted')
      const isFolder = entry.fileName.endsWith('/')
      if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === SYMLINK) return rejectFile('zip-suspicious')
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      directoryEnd = Math.max(directoryEnd, entry.relativeOffsetOfLocalHeader + entry.compressedSize)
      // More bytes than the archive has: entries that overlap, the densest of all bombs.
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
  const details = kind === 'zip' ? { entries, names, unpacked } : {}
  return { accepted: true, kind, type, pageCount: null, text: null, facts: details }
}
