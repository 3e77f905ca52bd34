import { sign, verify } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as letOthers } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { syncFolder } from '../storage/durable-files.ts'
import type { KeyPair } from './keys.ts'

/** Where a chain of hashes stood: its last position and the hash (64 hex digits) there. `at` is ISO 8601 in UTC. */
export type Checkpoint = { at: string; position: number; hash: string }

export type CheckpointFile = {
  /** In the order in which they were written. */
  checkpoints: Checkpoint[]
  /** Lines, counted from 1, that are no anchor of this product's: edited, or signed with another secret. */
  badLines: number[]
}

/** Anchors in a file outside the database: whoever rewrites the database cannot sign them anew. */
export type Checkpoints = {
  /** Durable when it resolves; written to the log as well, which a log shipper carries to another machine. */
  append(anchor: Checkpoint): Promise<void>
  /** Empty where there is no file. */
  read(): Promise<CheckpointFile>
  /** The last one of this product's, without reading the whole file; null where there is none. */
  readLast(): Promise<Checkpoint | null>
}

/** Bytes at the end of the file in which the last anchor is looked for, and lines judged at a time. */
const TAIL_BYTES = 16_384
const LINES_PER_BATCH = 200

const line = z.object({
  at: z.iso.datetime(),
  position: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.base64url(),
})

/** What is signed, Ed25519 (RFC 8032): these four lines, in UTF-8. */
const signedText = ({ at, position, hash }: Checkpoint): Buffer =>
  Buffer.from(['dosar audit anchor 1', at, position, hash].join('\n'))

export function openCheckpoints(path: string, keys: KeyPair, log: Log): Checkpoints {
  const readAll = async (): Promise<CheckpointFile> => {
    const file: CheckpointFile = { checkpoints: [], badLines: [] }
    const text = await orEmptyIfMissing(readFile(path, 'utf8'), '')
    // What follows the last end of a line is torn, or nothing.
    for (const [index, each] of text.split('\n').slice(0, -1).entries()) {
      // A year of them takes seconds.
      if (index % LINES_PER_BATCH === LINES_PER_BATCH - 1) await letOthers()
      const anchor = readLine(each, keys)
      if (anchor) file.checkpoints.push(anchor)
      else file.badLines.push(index + 1)
    }
    return file
  }
  return {
    append: async (anchor) => {
      const signature = sign(null, signedText(anchor), keys.privateKey).toString('base64url')
      // 'a+' makes the file where there is none, for its owner alone.
      const handle = await open(path, 'a+', 0o600)
      try {
        const { size } = await handle.stat()
        // A crash may have torn the last line: it was never an anchor.
        if (size > 0) await handle.truncate(await findCompleteLines(handle, size))
        await handle.appendFile(`${JSON.stringify({ ...anchor, signature })}\n`)
        await handle.sync()
        if (size === 0) await syncFolder(dirname(path))
      } finally {
        await handle.close()
      }
      const { at, ...facts } = anchor
      log.info('audit anchor', { ...facts, anchoredAt: at, signature })
    },
    read: readAll,
    readLast: async () => {
      const tail = await orEmptyIfMissing(readTail(path), '')
      // The first piece may be half a line, the last one is torn or nothing.
      for (const each of tail.split('\n').slice(0, -1).reverse()) {
        const anchor = readLine(each, keys)
        if (anchor) return anchor
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

/** `nothing` where there is no file. */
const orEmptyIfMissing = <T>(reading: Promise<T>, nothing: T): Promise<T> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return nothing
    throw error
  })

/** How many bytes of the file end with the end of a line. A line is far shorter than what is read here. */
async function findCompleteLines(handle: Awaited<ReturnType<typeof open>>, size: number): Promise<number> {
  const length = Math.min(size, 4096)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.lastIndexOf(10)
  return end === -1 ? size : size - length + end + 1
}

function readLine(text: string, { publicKey }: KeyPair): Checkpoint | null {
  try {
    const { signature, ...anchor } = line.parse(JSON.parse(text))
    return verify(null, signedText(anchor), publicKey, Buffer.from(signature, 'base64url')) ? anchor : null
  } catch {
    return null
  }
}
