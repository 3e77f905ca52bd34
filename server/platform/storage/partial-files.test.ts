import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sha256 } from '../../../test/sha256.ts'
import { openPartialFiles, type PartialFiles } from './partial-files.ts'

const ID = 'a'.repeat(32)

async function openTestFiles(): Promise<{ dir: string; partialFiles: PartialFiles }> {
  const dir = await mkdtemp(join(tmpdir(), 'dosar-incoming-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return { dir, partialFiles: await openPartialFiles(dir) }
}

const options = (offset: number, total: number, signal = new AbortController().signal, idle = 10_000) => ({
  offset,
  total,
  signal,
  idle,
})
/** A body that arrives in chunks of odd sizes. */
const inPieces = (bytes: Uint8Array) => {
  const chunks: Uint8Array[] = []
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7 + 13) % 300_000) {
    chunks.push(bytes.subarray(at, at + size))
  }
  return Readable.from(chunks.filter(({ length }) => length > 0))
}

it('writes a body in order, and returns its hash without reading the file again', async () => {
  const { partialFiles } = await openTestFiles()
  const bytes = randomBytes(7_654_321)
  expect(await partialFiles.append(ID, inPieces(bytes), options(0, bytes.length))).toEqual({
    size: bytes.length,
    end: 'ended',
  })
  expect((await readFile(partialFiles.path(ID))).equals(bytes)).toBe(true)
  // If the file were read again, the hash would be that of the changed file.
  await writeFile(partialFiles.path(ID), Buffer.alloc(bytes.length))
  expect((await partialFiles.digest(ID)).equals(sha256(bytes))).toBe(true)
})

it('appends where a body ended, in another process too', async () => {
  const { dir, partialFiles } = await openTestFiles()
  const bytes = randomBytes(3_000_000)
  await partialFiles.append(ID, Readable.from([bytes.subarray(0, 1_000_001)]), options(0, bytes.length))
  const other = await openPartialFiles(dir)
  expect(await other.flush(ID)).toBe(1_000_001)
  await other.append(
    ID,
    Readable.from([bytes.subarray(1_000_001, 2_000_000)]),
    options(1_000_001, bytes.length),
  )
  await partialFiles.append(ID, Readable.from([bytes.subarray(2_000_000)]), options(2_000_000, bytes.length))
  expect((await partialFiles.digest(ID)).equals(sha256(bytes))).toBe(true)
})

it('keeps the bytes that had arrived when the body breaks, falls silent or is stopped', async () => {
  const bytes = randomBytes(500_000)
  const breaks: Record<string, (body: PassThrough, stop: AbortController) => void> = {
    breaks: (body) => body.destroy(new Error('reset')),
    closes: (body) => body.destroy(),
    'is stopped': (_body, stop) => stop.abort(),
    'falls silent': () => undefined,
  }
  for (const [how, act] of Object.entries(breaks)) {
    const { partialFiles } = await openTestFiles()
    const body = new PassThrough()
    const stop = new AbortController()
    const idle = how === 'falls silent' ? 100 : 10_000
    const appended = partialFiles.append(ID, body, {
      ...options(0, 1_000_000, stop.signal, idle),
      onBytes: () => setImmediate(() => act(body, stop)),
    })
    body.write(bytes)
    expect([how, await appended]).toEqual([how, { size: bytes.length, end: 'cut' }])
    expect(await partialFiles.flush(ID)).toBe(bytes.length)
  }
})

it('returns for a body that had ended before it was read', async () => {
  const { partialFiles } = await openTestFiles()
  const body = new PassThrough()
  body.destroy()
  expect(await partialFiles.append(ID, body, options(0, 10))).toEqual({ size: 0, end: 'cut' })
})

it('writes no byte beyond the declared size', async () => {
  const { partialFiles } = await openTestFiles()
  const bytes = randomBytes(100)
  expect(await partialFiles.append(ID, Readable.from([bytes]), options(0, 60))).toEqual({
    size: 60,
    end: 'too-long',
  })
  expect((await partialFiles.digest(ID)).equals(sha256(bytes.subarray(0, 60)))).toBe(true)
})

it('pauses the body while the disk is slow', async () => {
  const { partialFiles } = await openTestFiles()
  const body = new PassThrough({ highWaterMark: 1 })
  const bytes = randomBytes(20_000_000)
  const appended = partialFiles.append(ID, body, options(0, bytes.length))
  let paused = 0
  body.on('pause', () => {
    paused += 1
  })
  for (let at = 0; at < bytes.length; at += 65_536) body.write(bytes.subarray(at, at + 65_536))
  body.end()
  expect(await appended).toEqual({ size: bytes.length, end: 'ended' })
  expect(paused).toBeGreaterThan(0)
  expect((await partialFiles.digest(ID)).equals(sha256(bytes))).toBe(true)
})

it('keeps nothing of a large body of which the disk could not write a part meanwhile', async () => {
  const { dir, partialFiles } = await openTestFiles()
  await partialFiles.append(ID, Readable.from([Buffer.from('abc')]), options(0, 70_000_003))
  const handle = await open(join(dir, ID))
  const datasync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  onTestFinished(() => datasync.mockRestore())
  await handle.close()
  datasync.mockRejectedValueOnce(new Error('EIO'))
  const body = () => inPieces(Buffer.alloc(70_000_000, 1))
  await expect(partialFiles.append(ID, body(), options(3, 70_000_003))).rejects.toThrow('EIO')
  // The last sync alone would have succeeded.
  expect(datasync).toHaveBeenCalledTimes(1)
  expect((await stat(partialFiles.path(ID))).size).toBe(3)
  expect((await partialFiles.append(ID, body(), options(3, 70_000_003))).size).toBe(70_000_003)
})

it('rejects a body that does not begin at the end of the file', async () => {
  const { partialFiles } = await openTestFiles()
  await partialFiles.append(ID, Readable.from([Buffer.from('abc')]), options(0, 10))
  await expect(partialFiles.append(ID, Readable.from([Buffer.from('d')]), options(2, 10))).rejects.toThrow()
  expect(await readFile(partialFiles.path(ID), 'utf8')).toBe('abc')
})

it('follows no symlink and accepts no other name (D01)', async () => {
  const { dir, partialFiles } = await openTestFiles()
  await writeFile(join(dir, 'other'), 'x')
  await symlink(join(dir, 'other'), partialFiles.path(ID))
  await expect(partialFiles.append(ID, Readable.from([Buffer.from('y')]), options(1, 10))).rejects.toThrow()
  expect(await readFile(join(dir, 'other'), 'utf8')).toBe('x')
  for (const bad of ['../other', 'other', '', `${ID}.json`, ID.toUpperCase()]) {
    expect(() => partialFiles.path(bad)).toThrow('not an id')
  }
})

it('lists existing files and no removed ones', async () => {
  const { partialFiles } = await openTestFiles()
  expect(await partialFiles.flush(ID)).toBe(0)
  await partialFiles.append(ID, Readable.from([Buffer.from('abc')]), options(0, 10))
  expect((await partialFiles.list()).map(({ id }) => id)).toEqual([ID])
  await partialFiles.remove(ID)
  await partialFiles.remove(ID)
  expect(await partialFiles.list()).toEqual([])
  // A new file of the same name starts with a new hash.
  await partialFiles.append(ID, Readable.from([Buffer.from('xyz')]), options(0, 3))
  expect((await partialFiles.digest(ID)).equals(sha256(Buffer.from('xyz')))).toBe(true)
})
