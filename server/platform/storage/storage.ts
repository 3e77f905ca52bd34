import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/**
 * The store of complete files. A key is random and reveals nothing about the patient. Every change is durable
 * (bytes and folder entry are fsynced) before its promise resolves.
 */
export type Storage = {
  /** Stores a new file with these bytes. */
  put(bytes: Uint8Array): Promise<{ key: string; size: number; sha256: Buffer }>
  /**
   * Imports a local file that is already fsynced; without a copy when it is on the same volume. The file also
   * stays at `path`, so that a crash before the key is committed loses nothing; the caller removes it later
   * and never writes to it.
   */
  importFile(path: string): Promise<{ key: string }>
  /** Returns all bytes, or those from `start` to `end` inclusive. Rejects when the key is unknown. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /**
   * Opens the file for reading; another process can read it through the handle's descriptor. The caller closes
   * it. Rejects when the key is unknown.
   */
  open(key: string): Promise<FileHandle>
  remove(key: string): Promise<void>
  /**
   * Yields the keys that begin with a hex digit, some at a time, with those of files that a killed server has left
   * incomplete; no key leads to these.
   */
  list(digit: string): AsyncIterable<string[]>
  /** Returns since when the file is under its key, also if it was restored from a copy; null if there is none. */
  storedAt(key: string): Promise<Date | null>
  /** Returns the number of free bytes; null when the store has no known limit. */
  freeBytes(): Promise<number | null>
}
