import { createHash, type Hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ignoreMissing, syncFolder } from './durable-files.ts'
import { type StreamOutcome, writeStream } from './write-stream.ts'

export type AppendOptions = {
  /** The position of the body's first byte; the file must have exactly this length. */
  offset: number
  /** The length of the complete file; bytes of the body beyond it are ignored. */
  total: number
  /** Stops reading; the bytes that have arrived are kept. */
  signal: AbortSignal
  /** Milliseconds without a byte after which the connection counts as cut. */
  idle: number
  onBytes?: (count: number) => void
}

/** Space of the disk that is kept for bytes on their way. */
export type Reservation = {
  /** These bytes have arrived: the disk itself has less space now. */
  use(count: number): void
  release(): void
}

/**
 * The files of uploads in progress: one file per transfer, named by the transfer's id (32 hex digits), only
 * ever appended to. A caller of `append`, `flush` or `remove` must have the transfer's lock.
 */
export type PartialFiles = {
  path(id: string): string
  /**
   * Appends a body; returns the length of the file, which is durable by then, and how the body ended. A cut
   * connection loses no byte that had arrived. Rejects when the disk fails or is full: the file then ends
   * with its last complete write.
   */
  append(id: string, body: Readable, options: AppendOptions): Promise<{ size: number; end: StreamOutcome }>
  /**
   * Makes the bytes of an earlier request or process durable; returns the file's length, 0 when there is no
   * file.
   */
  flush(id: string): Promise<number>
  /**
   * Returns the SHA-256 of the whole file; reads the file only when this process did not write all its bytes.
   */
  digest(id: string): Promise<Buffer>
  remove(id: string): Promise<void>
  list(): Promise<{ id: string; modifiedAt: Date }[]>
  /** Keeps space for bytes that no row announces, until it is used or released. */
  reserve(bytes: number): Reservation
  /** Returns the bytes that are reserved in this process and have not arrived. */
  reservedBytes(): number
}

const ID = /^[0-9a-f]{32}$/
/**
 * Unfinished hashes kept in memory; the oldest is dropped and computed again from its file when its transfer
 * continues.
 */
const MAX_HASHES = 1_000
/** Bytes that are written before a sync, while more arrive. */
const SYNC_STEP_BYTES = 32 * 1024 * 1024
/** Of all files together one, since each takes one of the few threads that read and write. */
let isStepRunning = false

export async function openPartialFiles(dir: string): Promise<PartialFiles> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const hashes = new Map<string, { hash: Hash; size: number }>()

  const path = (id: string): string => {
    if (!ID.test(id)) throw new Error('not an id of a transfer')
    return join(dir, id)
  }

  /** Removes and returns the hash of the first `size` bytes, from memory, or computed from the file. */
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

  let reserved = 0

  return {
    path,
    reserve: (bytes) => {
      let left = bytes
      reserved += bytes
      const use = (count: number) => {
        const used = Math.min(count, left)
        left -= used
        reserved -= used
      }
      return { use, release: () => use(left) }
    },
    reservedBytes: () => reserved,
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
        const disk = syncInSteps(handle, offset)
        const written = await writeStream(body, handle, {
          ...watch,
          onWritten: disk.onWritten,
          hash,
          position: offset,
          room: total - offset,
        })
        if (written.end === 'failed') await handle.truncate(written.position)
        await disk.sync()
        if (written.end === 'failed') throw written.error
        // A complete file needs no durable entry here: it is linked into the storage before the upload is
        // confirmed.
        if (offset === 0 && written.position < total) await syncFolder(dir)
        keepHash(id, hash, written.position)
        return { size: written.position, end: written.end }
      } finally {
        await handle.close()
      }
    },
    flush: async (id) => {
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
        const stats = await stat(join(dir, id)).catch(ignoreMissing)
        if (ID.test(id) && stats) found.push({ id, modifiedAt: stats.mtime })
      }
      return found
    },
  }
}

/**
 * Lets the disk write while more of a large body arrives: `onWritten` throws the error of an earlier step. `sync` makes the file
 * durable; when that or a step fails, the bytes from `start` on are cut off: the operating system may mark pages that it could
 * not write as written, and a later fsync would succeed without them.
 */
function syncInSteps(
  handle: FileHandle,
  start: number,
): { onWritten: (count: number) => void; sync: () => Promise<void> } {
  let unsynced = 0
  let step = Promise.resolve()
  let failure: { error: unknown } | null = null
  return {
    onWritten: (count) => {
      if (failure) throw failure.error
      unsynced += count
      if (unsynced < SYNC_STEP_BYTES || isStepRunning) return
      unsynced = 0
      isStepRunning = true
      step = handle
        .datasync()
        .catch((error: unknown) => {
          failure = { error }
        })
        .finally(() => {
          isStepRunning = false
        })
    },
    sync: async () => {
      try {
        await step
        if (failure) throw failure.error
        await handle.datasync()
      } catch (error) {
        await handle.truncate(start)
        throw error
      }
    },
  }
}
