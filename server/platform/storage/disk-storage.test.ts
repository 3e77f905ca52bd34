import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { sha256 } from '../../../test/sha256.ts'
import { openDiskStorage } from './disk-storage.ts'

async function openStorage() {
  const dir = await mkdtemp(join(tmpdir(), 'dosar-storage-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return { dir, storage: await openDiskStorage(join(dir, 'files')) }
}

it('stores bytes under a random key, readable by its own user alone', async () => {
  const { dir, storage } = await openStorage()
  const bytes = randomBytes(1000)
  const stored = await storage.put(bytes)
  expect(stored).toMatchObject({ size: 1000, sha256: sha256(bytes) })
  expect(stored.key).toMatch(/^([0-9a-f]{2})\/\1[0-9a-f]{6}-[0-9a-f-]{27}$/)
  expect((await storage.put(bytes)).key).not.toBe(stored.key)
  expect((await buffer(await storage.read(stored.key))).equals(bytes)).toBe(true)
  expect((await stat(join(dir, 'files', stored.key))).mode & 0o077).toBe(0)
  expect((await stat(join(dir, 'files'))).mode & 0o077).toBe(0)
})

it('reads a range, both ends inclusive', async () => {
  const { storage } = await openStorage()
  const bytes = randomBytes(1000)
  const { key } = await storage.put(bytes)
  expect(await buffer(await storage.read(key, { start: 10, end: 19 }))).toEqual(bytes.subarray(10, 20))
})

it('imports a file and leaves it at its path, independent of it', async () => {
  const { dir, storage } = await openStorage()
  const path = join(dir, 'sent')
  await writeFile(path, 'whole')
  const { key } = await storage.importFile(path)
  expect(await readFile(path, 'utf8')).toBe('whole')
  await rm(path)
  expect((await buffer(await storage.read(key))).toString()).toBe('whole')
})

it('removes files, and rejects unknown and malformed keys', async () => {
  const { dir, storage } = await openStorage()
  const { key } = await storage.put(randomBytes(10))
  await storage.remove(key)
  await storage.remove(key)
  await expect(storage.read(key)).rejects.toThrow()
  await expect(storage.open(key)).rejects.toThrow()
  await writeFile(join(dir, 'secret'), 'x')
  for (const bad of ['../secret', 'secret', `${key}/../../../secret`, key.toUpperCase(), '']) {
    await expect(storage.read(bad)).rejects.toThrow('not a storage key')
    await expect(storage.open(bad)).rejects.toThrow('not a storage key')
    await expect(storage.remove(bad)).rejects.toThrow('not a storage key')
  }
  await expect(storage.importFile(join(dir, 'missing'))).rejects.toThrow()
  const left = await readdir(join(dir, 'files'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

it('lists all keys of a digit, with files that were not complete, and since when each is there', async () => {
  const { dir, storage } = await openStorage()
  const stored = await Promise.all(Array.from({ length: 40 }, () => storage.put(randomBytes(10))))
  const keys = stored.map(({ key }) => key)
  const [first] = keys
  await writeFile(join(dir, 'files', `${first}.part`), 'x')
  await writeFile(join(dir, 'files', first!.slice(0, 3), 'README'), 'x')
  await utimes(join(dir, 'files', first!), new Date(0), new Date(0))
  const listed: string[] = []
  for (const digit of '0123456789abcdef')
    for await (const some of storage.list(digit)) {
      expect(some.filter((key) => !key.startsWith(digit))).toEqual([])
      listed.push(...some)
    }
  expect(listed.toSorted()).toEqual([...keys, `${first}.part`].toSorted())
  expect(Date.now() - (await storage.storedAt(first!))!.getTime()).toBeLessThan(60_000)
  await storage.remove(`${first}.part`)
  expect(await storage.storedAt(`${first}.part`)).toBeNull()
  expect(await storage.storedAt(first!)).not.toBeNull()
})

it('returns the free space', async () => {
  const { storage } = await openStorage()
  expect(await storage.freeBytes()).toBeGreaterThan(0)
})
