import { createHash } from 'node:crypto'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { FileRow } from '../uploads.db.ts'

/** The stored bytes are not the received bytes. */
export class IntegrityError extends Error {
  override name = 'IntegrityError'
  readonly code = 'INTEGRITY'
}

/**
 * Yields a whole file in chunks and throws IntegrityError if its bytes are not the received ones. The last
 * chunk waits for the checksum, so that no reader gets a complete wrong file. Ending the iteration closes the
 * file.
 */
export async function* readVerified(
  storage: Storage,
  { storage_key: key, sha256, id }: Pick<FileRow, 'storage_key' | 'sha256' | 'id'>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let last: Buffer | null = null
  for await (const chunk of await readStored(storage, key, id)) {
    if (last) yield last
    last = chunk as Buffer
    hash.update(last)
  }
  if (!last || !hash.digest().equals(sha256)) throw new IntegrityError(`stored bytes differ: ${id}`)
  yield last
}

/** Yields a range of a file, both ends inclusive. A range cannot be verified against the checksum. */
export async function* readRange(
  storage: Storage,
  { storage_key: key, id }: Pick<FileRow, 'storage_key' | 'id'>,
  range: { start: number; end: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of await readStored(storage, key, id, range)) yield chunk as Buffer
}

const readStored = (storage: Storage, key: string, id: string, range?: { start: number; end: number }) =>
  storage.read(key, range).catch((error: unknown) => {
    throw new IntegrityError(`stored bytes cannot be read: ${id}`, { cause: error })
  })
