import { openPromise } from 'yauzl'
import { stripInvisible } from '../../../shared/invisible-characters.ts'
import { type Inspection, refuse } from './inspection.ts'

const MAX_ENTRIES = 2_000
const MAX_UNPACKED = 4 * 1024 ** 3
const MAX_RATIO = 100
/** A small archive of very regular text may be packed tighter than that without meaning harm. */
const RATIO_FLOOR = 10 * 1024 ** 2
const MAX_NAMES = 200
/** Characters kept of a name. A letter cut in half would be refused by the database, and the upload never be let on. */
const MAX_NAME = 300
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
    if (zip.entryCount > MAX_ENTRIES) return refuse('zip-suspicious')
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return refuse('zip-encrypted')
      const isFolder = entry.fileName.endsWith('/')
      if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === SYMLINK) return refuse('zip-suspicious')
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      directoryEnd = Math.max(directoryEnd, entry.relativeOffsetOfLocalHeader + entry.compressedSize)
      // More bytes than the archive has: entries that overlap, the densest of all bombs.
      if (packed > zip.fileSize || directoryEnd > zip.fileSize) return refuse('zip-suspicious')
      if (unpacked > MAX_UNPACKED) return refuse('zip-suspicious')
      if (isFolder) continue
      entries += 1
      if (names.length < MAX_NAMES)
        names.push(stripInvisible(entry.fileName).slice(0, MAX_NAME).toWellFormed())
    }
  } catch (error) {
    const unsafe = error instanceof Error && /^(invalid|absolute|invalid relative)/.test(error.message)
    return refuse(unsafe ? 'zip-suspicious' : 'damaged')
  }
  if (unpacked > RATIO_FLOOR && unpacked > packed * MAX_RATIO) return refuse('zip-suspicious')
  const kind = type === 'application/zip' ? 'zip' : 'other'
  const facts = kind === 'zip' ? { entries, names, unpacked } : {}
  return { accepted: true, kind, type, pageCount: null, text: null, facts }
}
