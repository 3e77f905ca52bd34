import { Readable } from 'node:stream'
import ZipStream from 'zip-stream'
import { cleanFileName } from '../../../../shared/uploads/file-names.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { FileRow } from '../uploads.db.ts'
import { readVerified } from './verified-bytes.ts'

/**
 * An archive of the files, made while it is read; what documents and images are made of does not shrink, so nothing is
 * packed. Throws where a file is not what was received. Ending the iteration closes what it reads.
 */
export async function* readArchive(storage: Storage, files: readonly FileRow[]): AsyncGenerator<Buffer> {
  const archive = startArchive(storage, files)
  try {
    yield* archive
  } finally {
    archive.destroy()
  }
}

function startArchive(storage: Storage, files: readonly FileRow[]): Readable {
  const archive = new ZipStream({ store: true })
  // What breaks after the reader has left concerns nobody; whoever reads is told by the iteration.
  archive.on('error', () => undefined)
  const names = distinctNames(files.map(({ name }) => name))
  const addAll = async () => {
    for (const [index, file] of files.entries()) {
      const source = Readable.from(readVerified(storage, file))
      const close = () => source.destroy()
      archive.once('close', close)
      await new Promise<void>((resolve, reject) => {
        source.once('error', reject)
        archive.entry(source, { name: names[index]!, date: file.created_at }, (error) =>
          error ? reject(error) : resolve(),
        )
      })
      archive.off('close', close)
    }
    archive.finalize()
  }
  addAll().catch((error: Error) => archive.destroy(error))
  return archive
}

/** Names that no file system takes for the same: `raport.pdf`, `Raport (2).pdf`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((given) => {
    const name = cleanFileName(given)
    const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name)!
    let free = name
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${stem} (${count})${extension}`
    taken.add(free.toLowerCase())
    return free
  })
}
