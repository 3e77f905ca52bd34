import { createHash, type Hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from './durable-files.ts'
import { type StreamOutcome, writeStream } from './write-stream.ts'

export type AppendOptions = {
  /** Where the body begins; the file must be exactly that long. */
  offset: number
  /** How long the whole file is to become; what a body holds beyond it is not taken. */
  total: number
  /** Stops reading; what has arrived is kept. */
  signal: AbortSignal
  /** Milliseconds without a byte after which the sender counts as gone. */
  idle: number
  onBytes?: () => void
}

/**
 * The area of bytes under way: one file a transfer, named by its id (32 hex digits), only ever appended to. Whoever calls
 * `append`, `waitForStablePage` or `remove` holds the transfer's lock.
 */
export type PartialFiles = {
  path(id: string): string
  /**
   * Appends a body and answers the length of the file, durable by then, and how the body ended; a cut connection loses
   * nothing that had arrived. Rejects where the disk fails or is full: the file then ends with its last whole write.
   */
  append(id: string, body: Readable, options: AppendOptions): Promise<{ size: number; end: StreamOutcome }>
  /** Makes what is there durable, whoever left it, and answers its length; 0 where there is nothing. */
  settle(id: string): Promise<number>
  /** SHA-256 of the whole file. Costs a reading of it only where this process did not see all its bytes pass. */
  digest(id: string): Promise<Buffer>
  remove(id: string): Promise<void>
  list(): Promise<{ id: string; modifiedAt: Date }[]>
}

const ID = /^[0-9a-f]{32}$/
/** Unfinished hashes kept; beyond that the oldest is rebuilt from its file should its transfer go on. */
const MAX_HASHES = 1_000

export async function openPartialFiles(dir: string): Promise<PartialFiles> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const hashes = new Map<string, { hash: Hash; size: number }>()

  const path = (id: string): string => {
    if (!ID.test(id)) throw new Error('not an id of a transfer')
    return join(dir, id)
  }

  /** The hash of the first `size` bytes, taken out of the memory of this process or read anew. */
  const takeHash = async (id: string, size: number): Promise<Hash> => {
    const known = hashes.get(id)
    hashes.delete(id)
    if (known?.size === size) return known.hash
    const hash = createHash('sha256')
    if (size === 0) return hash
    for await (const chunk of createReadStream(path(id), { end: size - 1, highWaterMark: 1024 * 1024 }))
      hash.update(chunk)
    return hash
  }
  const keepHash = (id: string, hash: Hash, size: number): void => {
    hashes.set(id, { hash, size })
    if (hashes.size > MAX_HASHES) hashes.delete(hashes.keys().next().value!)
  }

  return {
    path,
    append: async (id, body, { offset, total, ...watch }) => {
      const handle = await open(
        path(id),
        constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW,
        0o600,
      )
      try {
        const { size } = await handle.stat()
        if (size !== offset) throw new Error('the file does not end where the body begins')
        const hash = await takeHash(id, offset)
        const poured = await writeStream(body, handle, {
          ...watch,
          hash,
          position: offset,
          room: total - offset,
        })
        if (poured.end === 'failed') await handle.truncate(poured.position)
        await sync(handle, offset)
        if (poured.end === 'failed') throw poured.error
        // A file that is whole is linked from elsewhere before anybody is told of it.
        if (offset === 0 && poured.position < total) await syncFolder(dir)
        keepHash(id, hash, poured.position)
        return { size: poured.position, end: poured.end }
      } finally {
        await handle.close()
      }
    },
    settle: async (id) => {
      const handle = await open(path(id), constants.O_RDWR | constants.O_NOFOLLOW).catch(ignoreMissing)
      if (!handle) return 0
      try {
        await handle.sync()
        await syncFolder(dir)
        return (await handle.stat()).size
      } finally {
        await handle.close()
      }
    },
    digest: async (id) => (await takeHash(id, (await stat(path(id))).size)).digest(),
    remove: async (id) => {
      hashes.delete(id)
      await unlink(path(id)).catch(ignoreMissing)
    },
    list: async () => {
      const found: { id: string; modifiedAt: Date }[] = []
      for (const id of await readdir(dir)) {
        const facts = await stat(join(dir, id)).catch(ignoreMissing)
        if (ID.test(id) && facts) found.push({ id, modifiedAt: facts.mtime })
      }
      return found
    },
  }
}

/**
 * Makes the file durable. Where that fails, the bytes of this round are given up: the system may count pages that it could
 * not write as written, and a later fsync would succeed without them.
 */
async function sync(handle: FileHandle, start: number): Promise<void> {
  try {
    await handle.datasync()
  } catch (error) {
    await handle.truncate(start)
    throw error
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
