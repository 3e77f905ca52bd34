import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreMissing, syncFolder } from './durable-files.ts'
import type { Storage } from './storage.ts'

/** Of a file that was not complete when the server was killed, with the ending of its temporary name. */
const KEY = /^[0-9a-f]{2}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.part)?$/
/** Bytes of one read from the disk: four times Node's default, so that a large file needs fewer reads. */
const READ_SIZE_BYTES = 256 * 1024

const FOLDERS = Array.from({ length: 256 }, (_, first) => first.toString(16).padStart(2, '0'))

const newKey = (): string => {
  const id = randomUUID()
  return `${id.slice(0, 2)}/${id}`
}

/**
 * Stores files in a folder of this machine, as `<2 hex digits>/<uuid>`, readable by the server's user alone.
 */
export async function openDiskStorage(dir: string): Promise<Storage> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const there = new Set(await readdir(dir))
  for (const folder of FOLDERS)
    if (!there.has(folder)) await mkdir(join(dir, folder), { recursive: true, mode: 0o700 })
  await syncFolder(dir)

  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error('not a storage key')
    return join(dir, key)
  }

  /** Lets `fill` write a temporary file, which gets its final name only when it is complete and synced. */
  const writeAtomically = async (key: string, fill: (part: string) => Promise<void>): Promise<void> => {
    const path = pathOf(key)
    const part = `${path}.part`
    try {
      await fill(part)
      const handle = await open(part, 'r+')
      await handle.sync().finally(() => handle.close())
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  }

  return {
    put: async (bytes) => {
      const key = newKey()
      const path = pathOf(key)
      const handle = await open(path, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        // Nobody knows the key before both are durable, and the file system does the two in one step.
        await Promise.all([handle.datasync(), syncFolder(dirname(path))])
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await handle.close()
      }
      return { key, size: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest() }
    },
    importFile: async (path) => {
      const key = newKey()
      try {
        await link(path, pathOf(key))
      } catch (error) {
        if (!cannotLink(error)) throw error
        await writeAtomically(key, (part) => copyFile(path, part))
        return { key }
      }
      await syncFolder(dirname(pathOf(key)))
      return { key }
    },
    read: async (key, range) => {
      const handle = await open(pathOf(key), 'r')
      return handle.createReadStream({ ...range, highWaterMark: READ_SIZE_BYTES })
    },
    open: async (key) => open(pathOf(key), 'r'),
    remove: async (key) => {
      const path = pathOf(key)
      await rm(path, { force: true })
      await syncFolder(dirname(path))
    },
    list: async function* (digit) {
      for (const folder of FOLDERS.filter((name) => name.startsWith(digit)))
        yield (await readdir(join(dir, folder)))
          .map((name) => `${folder}/${name}`)
          .filter((key) => KEY.test(key))
    },
    storedAt: async (key) => {
      // The time of the last change of the entry: that of the content is older in a file that was restored or linked.
      const stats = await stat(pathOf(key)).catch(ignoreMissing)
      return stats ? stats.ctime : null
    },
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dir)
      return bavail * bsize
    },
  }
}

/**
 * Whether the error means that a copy is needed instead of a hard link: the file is on another volume or has
 * too many links (EMLINK), or the file system has no hard links.
 */
const cannotLink = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(String(error.code))
