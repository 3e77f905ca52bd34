import type { Readable } from 'node:stream'

/**
 * Where finished files lie. A key is random and says nothing of the patient. What these answer is durable: the bytes and
 * the folder entry are fsynced before the promise resolves.
 */
export type Storage = {
  /** Stores the bytes whole. */
  put(bytes: Uint8Array): Promise<{ key: string; size: number; sha256: Buffer }>
  /**
   * Takes over a local file (best of the same volume: no copy) that is already written and fsynced. It stays at `path` too,
   * so that a crash before the key is committed loses nothing; the caller removes it afterwards and never writes to it again.
   */
  importFile(path: string): Promise<{ key: string }>
  /** The bytes, or the part from `start` to `end` inclusive. Rejects where the key is unknown. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** A local path at which another program can read the bytes, until they are given back. Nothing may write there. */
  openLocalPath(key: string): Promise<{ path: string; close(): Promise<void> }>
  remove(key: string): Promise<void>
  /** Bytes still free for files; null where the store knows no bound. */
  freeBytes(): Promise<number | null>
}
