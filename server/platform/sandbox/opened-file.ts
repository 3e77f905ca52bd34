import { createReadStream, fstatSync, read } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const readAt = promisify(read)

/** A file that another process has opened: it is read by its descriptor, since its path is not readable. */
export type OpenedFile = {
  descriptor: number
  size: number
  /** Returns the bytes from `start`, fewer than `length` at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
  /** Returns all bytes, or those up to `end` inclusive. */
  stream(options?: { end?: number; encoding?: BufferEncoding }): Readable
}

const STREAM_CHUNK_BYTES = 1024 * 1024

/** Opens the descriptor for reading; it stays open. */
export function openDescriptor(descriptor: number): OpenedFile {
  const { size } = fstatSync(descriptor)
  return {
    descriptor,
    size,
    read: async (start, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await readAt(descriptor, bytes, filled, bytes.length - filled, start + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    },
    // With `start`, the position that the server's handle shares is neither used nor moved.
    stream: (options) =>
      createReadStream('', {
        fd: descriptor,
        start: 0,
        autoClose: false,
        highWaterMark: STREAM_CHUNK_BYTES,
        ...options,
      }),
  }
}
