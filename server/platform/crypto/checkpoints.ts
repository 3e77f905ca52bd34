import { sign, verify } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { syncFolder } from '../storage/durable-files.ts'
import type { KeyPair } from './keys.ts'

/**
 * The end of a hash chain at a moment: its last position and the hash (64 hex digits) there. `at` is ISO
 * 8601, UTC.
 */
export type Checkpoint = { at: string; position: number; hash: string }

export type CheckpointFile = {
  /** In the order in which the checkpoints were written. */
  checkpoints: Checkpoint[]
  /** Numbers (from 1) of the lines that are no valid checkpoint: edited, or signed with another secret. */
  badLines: number[]
}

/**
 * Signed checkpoints in a file outside the database: write access to the database is not enough to forge
 * them.
 */
export type Checkpoints = {
  /**
   * Appends a checkpoint; it is durable when the promise resolves. Writes it to the log as well, which a log
   * shipper copies to another machine.
   */
  append(checkpoint: Checkpoint): Promise<void>
  /** Returns an empty list when the file does not exist. */
  read(): Promise<CheckpointFile>
  /** Returns the last valid checkpoint, as a rule from the end of the file alone; null when there is none. */
  readLast(): Promise<Checkpoint | null>
}

/** Bytes at the end of the file in which the last checkpoint is searched. */
const TAIL_BYTES = 16_384
/** Lines verified before the event loop gets a turn. */
const LINES_PER_BATCH = 200

const line = z.object({
  at: z.iso.datetime(),
  position: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.base64url(),
})

/** The text that is signed with Ed25519 (RFC 8032): four lines in UTF-8. */
const signedText = ({ at, position, hash }: Checkpoint): Buffer =>
  Buffer.from(['dosar audit anchor 1', at, position, hash].join('\n'))

export function openCheckpoints(path: string, keys: KeyPair, log: Log): Checkpoints {
  const readAll = async (): Promise<CheckpointFile> => {
    const file: CheckpointFile = { checkpoints: [], badLines: [] }
    const text = await orEmptyIfMissing(readFile(path, 'utf8'), '')
    // Text after the last line end is empty, or a line cut by a crash.
    for (const [index, each] of text.split('\n').slice(0, -1).entries()) {
      // Verifying the checkpoints of a year takes seconds.
      if (index % LINES_PER_BATCH === LINES_PER_BATCH - 1) await yieldToEventLoop()
      const checkpoint = readLine(each, keys)
      if (checkpoint) file.checkpoints.push(checkpoint)
      else file.badLines.push(index + 1)
    }
    return file
  }
  return {
    append: async (checkpoint) => {
      const signature = sign(null, signedText(checkpoint), keys.privateKey).toString('base64url')
      // 'a+' creates a missing file, readable by its owner alone.
      const handle = await open(path, 'a+', 0o600)
      try {
        const { size } = await handle.stat()
        // A crash may have left half a line at the end: that checkpoint was never complete.
        if (size > 0) await handle.truncate(await findCompleteLines(handle, size))
        await handle.appendFile(`${JSON.stringify({ ...checkpoint, signature })}\n`)
        await handle.sync()
        if (size === 0) await syncFolder(dirname(path))
      } finally {
        await handle.close()
      }
      const { at, ...fields } = checkpoint
      log.info('audit anchor', { ...fields, anchoredAt: at, signature })
    },
    read: readAll,
    readLast: async () => {
      const tail = await orEmptyIfMissing(readTail(path), '')
      // The first line may be cut by the read, the last one by a crash.
      for (const each of tail.split('\n').slice(0, -1).reverse()) {
        const checkpoint = readLine(each, keys)
        if (checkpoint) return checkpoint
      }
      return (await readAll()).checkpoints.at(-1) ?? null
    },
  }
}

async function readTail(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, TAIL_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Resolves with `empty` when the file does not exist. */
const orEmptyIfMissing = <T>(reading: Promise<T>, empty: T): Promise<T> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return empty
    throw error
  })

/**
 * Returns the number of bytes up to the last line end. A line is far shorter than the 4096 bytes that are
 * read.
 */
async function findCompleteLines(handle: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  const length = Math.min(size, 4096)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.lastIndexOf(10)
  return end === -1 ? size : size - length + end + 1
}

function readLine(text: string, { publicKey }: KeyPair): Checkpoint | null {
  try {
    const { signature, ...checkpoint } = line.parse(JSON.parse(text))
    const isValid = verify(null, signedText(checkpoint), publicKey, Buffer.from(signature, 'base64url'))
    return isValid ? checkpoint : null
  } catch {
    return null
  }
}
