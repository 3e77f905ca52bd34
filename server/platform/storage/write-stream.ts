import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Bytes collected for one write. */
const WRITE_SIZE_BYTES = 1024 * 1024
/** Bytes that may wait for the disk; beyond them the body is paused. */
const MAX_WAITING_BYTES = 4 * WRITE_SIZE_BYTES

/**
 * How a body ended: complete, cut off (by the sender, the idle timer or the signal), longer than `room`, or
 * with a failed write to the disk.
 */
export type StreamOutcome = 'ended' | 'cut' | 'too-long' | 'failed'

export type WriteStreamOptions = {
  position: number
  room: number
  hash: Hash
  signal: AbortSignal
  idle: number
  onBytes?: (count: number) => void
  /** Called after each write to the file. */
  onWritten?: (count: number) => void
}

/**
 * Writes a body into a file in large batches and updates `hash` with the bytes. Never rejects: returns the
 * position after the last complete write, and the disk's error if there was one. Without an error, the hash
 * covers exactly the bytes up to that position.
 */
export function writeStream(
  body: Readable,
  handle: FileHandle,
  { position, room, hash, signal, idle, onBytes, onWritten }: WriteStreamOptions,
): Promise<{ position: number; end: StreamOutcome; error?: unknown }> {
  return new Promise((resolve) => {
    let collected: Uint8Array[] = []
    let waiting = 0
    let writing = false
    let end: StreamOutcome | null = null
    let error: unknown

    const finish = (how: StreamOutcome) => {
      if (end) return
      end = how
      clearTimeout(timer)
      signal.removeEventListener('abort', onCut)
      body.off('data', onData).off('end', onEnd).off('close', onCut)
      body.pause()
      if (!writing) void write()
    }
    const onEnd = () => finish('ended')
    const onCut = () => finish('cut')

    const onData = (chunk: Uint8Array) => {
      timer.refresh()
      onBytes?.(chunk.length)
      const accepted = chunk.length > room ? chunk.subarray(0, room) : chunk
      room -= accepted.length
      waiting += accepted.length
      if (accepted.length > 0) collected.push(accepted)
      if (accepted !== chunk) finish('too-long')
      else if (waiting >= WRITE_SIZE_BYTES && !writing) void write()
      if (waiting >= MAX_WAITING_BYTES) body.pause()
    }

    const write = async () => {
      writing = true
      while (collected.length > 0 && (end || waiting >= WRITE_SIZE_BYTES)) {
        const batch = collected
        const length = waiting
        collected = []
        waiting = 0
        if (!end) body.resume()
        try {
          // Hashes while the disk works. If the write fails, the hash is not used any more.
          const written = writeAll(handle, batch, length, position)
          for (const chunk of batch) hash.update(chunk)
          await written
          position += length
          onWritten?.(length)
        } catch (cause) {
          error = cause
          collected = []
          finish('failed')
          end = 'failed'
        }
      }
      writing = false
      if (end) resolve({ position, end, error })
    }

    const timer = setTimeout(() => {
      // A slow disk must not count as a silent sender.
      if (writing) timer.refresh()
      else onCut()
    }, idle)

    // A broken connection is a body that ends early. The listener is never removed: a second error may
    // follow.
    body.on('error', onCut)
    if (signal.aborted || (body.destroyed && !body.readableEnded)) onCut()
    else if (body.readableEnded) onEnd()
    else {
      signal.addEventListener('abort', onCut, { once: true })
      body.on('data', onData).on('end', onEnd).on('close', onCut)
    }
  })
}

async function writeAll(
  handle: FileHandle,
  batch: Uint8Array[],
  length: number,
  position: number,
): Promise<void> {
  const { bytesWritten } = await handle.writev(batch, position)
  if (bytesWritten === length) return
  // A short write means that the disk is full; writing the rest makes the system throw its own error.
  const rest = Buffer.concat(batch).subarray(bytesWritten)
  const { bytesWritten: more } = await handle.write(rest, 0, rest.length, position + bytesWritten)
  if (more < rest.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
}
