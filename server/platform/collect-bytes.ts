import type { Readable } from 'node:stream'

/**
 * Reads a body of `size` bytes into memory, and leaves one that is longer where it is. Returns null if the body is shorter, its
 * connection breaks, or no byte arrives for `idle` milliseconds.
 */
export async function collectBytes(
  body: Readable,
  size: number,
  idle: number,
): Promise<Buffer | 'too-long' | null> {
  const bytes = Buffer.allocUnsafe(size)
  let received = 0
  const timer = setTimeout(() => body.destroy(), idle)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      timer.refresh()
      if (received + chunk.length > size) return 'too-long'
      bytes.set(chunk, received)
      received += chunk.length
    }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
  return received === size ? bytes : null
}
