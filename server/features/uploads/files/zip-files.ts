import { Readable } from 'node:stream'
import { cleanFileName, extensionOf, shortenStem } from '../../../../shared/uploads/file-names.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { FileRow } from '../uploads.db.ts'
import { readVerified } from './verified-bytes.ts'

type ArchivedFile = Pick<FileRow, 'id' | 'name' | 'sha256' | 'storage_key' | 'created_at'>

/** A stored file with its name in the archive, which may have a folder: `17/raport.pdf`. */
type FileEntry<File extends ArchivedFile = ArchivedFile> = { file: File; name: string }

/** A stored file, or bytes that are written for the archive. */
export type ArchiveEntry = FileEntry | { name: string; date: Date; chunks: AsyncIterable<Buffer> }

/** Returns the files of an upload as entries with different names. */
export function toEntries<File extends ArchivedFile>(files: readonly File[]): FileEntry<File>[] {
  const names = distinctNames(files.map(({ name }) => name))
  return files.map((file, index) => ({ file, name: names[index]! }))
}

/**
 * Yields a ZIP archive of the files, built while it is read, one entry after the other, and without compression, since
 * documents and images hardly shrink. Throws IntegrityError if a file's bytes are not the received ones. Ending the
 * iteration closes the open files.
 */
export async function* readArchive(
  storage: Storage,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
): AsyncGenerator<Buffer> {
  const archive = await startArchive(storage, entries)
  try {
    yield* archive
  } finally {
    archive.destroy()
  }
}

async function startArchive(
  storage: Storage,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
): Promise<Readable> {
  // Imported with the first archive: a server that makes none saves its memory.
  const { default: ZipStream } = await import('zip-stream')
  const archive = new ZipStream({ store: true })
  // The iteration reports errors to the reader; an error after the reader has left needs no handler.
  archive.on('error', () => undefined)
  const addAll = async () => {
    for await (const entry of entries) {
      const isStored = 'file' in entry
      const source = Readable.from(isStored ? readVerified(storage, entry.file) : entry.chunks)
      const data = { name: entry.name, date: isStored ? entry.file.created_at : entry.date }
      const close = () => source.destroy()
      archive.once('close', close)
      await new Promise<void>((resolve, reject) => {
        source.once('error', reject)
        archive.entry(source, data, (error) => (error ? reject(error) : resolve()))
      })
      archive.off('close', close)
    }
    archive.finalize()
  }
  addAll().catch((error: Error) => archive.destroy(error))
  return archive
}

/** Returns names that differ even on file systems that ignore case: `raport.pdf`, `Raport (2).pdf`. */
export const distinctNames = (names: readonly string[]): string[] => makeDistinct(names, extensionOf)

/** Returns names of folders that differ even on file systems that ignore case: what follows a dot is no extension. */
export const distinctFolders = (names: readonly string[]): string[] => makeDistinct(names, () => '')

/** Cleans the names and numbers equal ones before what `endOf` returns; with the number too they are not too long. */
function makeDistinct(names: readonly string[], endOf: (name: string) => string): string[] {
  const taken = new Set<string>()
  return names.map((given) => {
    const name = cleanFileName(given)
    const end = endOf(name)
    const stem = name.slice(0, name.length - end.length)
    let free = name
    for (let count = 2; taken.has(foldCase(free)); count += 1) free = shortenStem(stem, ` (${count})${end}`)
    taken.add(foldCase(free))
    return free
  })
}

/** Letters that have one capital letter are equal on some file systems, as `s` and `ſ`, or `ß` and `ss`. */
const foldCase = (name: string): string => name.toLowerCase().toUpperCase()
