import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Bytes gathered before they are written in one go. */
const WRITE_SIZE_BYTES = 1024 * 1024
/** Bytes that may wait for the disk before the sender has to. */
const MAX_WAITING_BYTES = 4 * WRITE_SIZE_BYTES

/**
 * Why a body is over: it ended, it was cut off (by the sender, the idle timer or the signal), it held more than there was
 * room for, or the disk refused.
 */
export type StreamOutcome = 'ended' | 'cut' | 'too-long' | 'failed'

export type WriteStreamOptions = {
  position: number
  room: number
  hash: Hash
  signal: AbortSignal
  idle: number
  onBytes?: () => void
}

/**
 * Writes a body into a file, in large gathered writes, and hashes what it writes on the way. Never rejects: answers the
 * position after the last whole write, and the disk's error where there was one. Without one, the hash has seen exactly the
 * bytes up to that position.
 */
export function writeStream(
  body: Readable,
  handle: FileHandle,
  { position, room, hash, signal, idle, onBytes }: WriteStreamOptions,
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
      onBytes?.()
      const taken = chunk.length > room ? chunk.subarray(0, room) : chunk
      room -= taken.length
      waiting += taken.length
      if (taken.length > 0) collected.push(taken)
      if (taken !== chunk) finish('too-long')
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
          // Hashed while the disk works. Of what it refuses the hash is not used any more.
          const written = writeAll(handle, batch, length, position)
          for (const chunk of batch) hash.update(chunk)
          await written
          position += length
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
      // A disk that takes its time is no fault of the sender.
      if (writing) timer.refresh()
      else onCut()
    }, idle)

    // A connection that breaks is a body that ends early; the listener stays, since more than one error may come.
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
  // A short write means that the disk is full; writing the rest on its own brings the system's own word for it.
  const rest = Buffer.concat(batch).subarray(bytesWritten)
  const { bytesWritten: more } = await handle.write(rest, 0, rest.length, position + bytesWritten)
  if (more < rest.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
}
