import { fstatSync, readSync } from 'node:fs'

/** The bytes of a file, read where they are needed; what a call returns is valid until the next one. */
export type FileBytes = {
  size: number
  /** Returns the bytes from `start` to before `end`, fewer at the end of the file. */
  read(start: number, end: number): Buffer
  /** Returns bytes from `start`, as many as are at hand: at least SOME_BYTES, fewer only at the end of the file. */
  readSome(start: number): Buffer
}

const WINDOW_BYTES = 1024 * 1024
const SOME_BYTES = 64 * 1024

export const bytesOf = (buffer: Buffer): FileBytes => ({
  size: buffer.length,
  read: (start, end) => buffer.subarray(start, end),
  readSome: (start) => buffer.subarray(start),
})

/** Gives `use` the bytes of an open file, which it reads without waiting: call it in the sandbox. */
export function readBytesOf<T>(descriptor: number, use: (file: FileBytes) => T): T {
  const { size } = fstatSync(descriptor)
  let window = Buffer.alloc(0)
  let windowStart = 0
  const load = (start: number, end: number): Buffer => {
    const windowEnd = windowStart + window.length
    if (start < windowStart || Math.min(end, size) > windowEnd) {
      window = Buffer.alloc(Math.max(end - start, WINDOW_BYTES))
      window = window.subarray(0, readSync(descriptor, window, 0, window.length, start))
      windowStart = start
    }
    return window.subarray(start - windowStart)
  }
  const read = (start: number, end: number) => load(start, end).subarray(0, end - start)
  return use({ size, read, readSome: (start) => load(start, start + SOME_BYTES) })
}

/** Returns the position of `part` at or after `from`, before `end`; -1 if there is none. */
export function findBytes(file: FileBytes, part: Buffer, from: number, end = file.size): number {
  for (let at = from; at + part.length <= end; ) {
    const bytes = file.readSome(at)
    const found = bytes.indexOf(part)
    if (found >= 0) return at + found + part.length <= end ? at + found : -1
    if (bytes.length < part.length) return -1
    at += bytes.length - part.length + 1
  }
  return -1
}
