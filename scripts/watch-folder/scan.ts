import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'

export const ACCEPTED = 'preluate'
export const REFUSED = 'refuzate'
export const FACTS_SUFFIX = '.json'
export const REASON_SUFFIX = '.motiv.txt'
/** The server's limit for the details that come with a document. */
export const MAX_FACTS_BYTES = 64 * 1024

/** A document of the folder; its path is relative and has `/` between the names on every system. */
export type Candidate = {
  path: string
  /** Changes whenever the document or its facts do. */
  signature: string
  hasFacts: boolean
}

export type Scan = { candidates: Candidate[]; orphanFacts: number; unreadable: number }

const UNFINISHED = ['.tmp', '.part', '.filepart', '.crdownload', '~']
const OF_THE_SYSTEM = new Set(['thumbs.db', 'desktop.ini'])

/** Whether no document has this name: it is hidden, being written, a reason, or of the system. */
function isIgnored(name: string): boolean {
  const lower = name.toLowerCase()
  return (
    /^[.~]/.test(lower) ||
    OF_THE_SYSTEM.has(lower) ||
    [...UNFINISHED, REASON_SUFFIX].some((suffix) => lower.endsWith(suffix))
  )
}

const isFacts = (name: string) => name.toLowerCase().endsWith(FACTS_SUFFIX)

export type Stats = Awaited<ReturnType<typeof statPath>>
export const statPath = (path: string) => lstat(path, { bigint: true })
/** What differs when a file was written to or replaced, but not when it was moved. */
export const contentOf = ({ dev, ino, size, mtimeNs }: Stats) => [dev, ino, size, mtimeNs].join(':')

/** Finds the documents of the folder and its sub-folders. Links are not followed: they could lead to any file. */
export async function scanFolder(root: string): Promise<Scan> {
  const scan: Scan = { candidates: [], orphanFacts: 0, unreadable: 0 }
  await scanInto(scan, root, '')
  scan.candidates.sort((one, other) => (one.path < other.path ? -1 : 1))
  return scan
}

async function scanInto(scan: Scan, root: string, folder: string): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    // The folder itself must be there: an unmounted share is no empty folder.
    if (!folder) throw error
    scan.unreadable++
    return []
  })
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const names = new Set(entries.map(({ name }) => name))
  for (const entry of entries) {
    if (isIgnored(entry.name)) continue
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory() && path !== ACCEPTED && path !== REFUSED) await scanInto(scan, root, path)
    if (!entry.isFile()) continue
    if (isFacts(entry.name)) {
      if (!files.has(entry.name.slice(0, -FACTS_SUFFIX.length))) scan.orphanFacts++
      continue
    }
    const factsName = entry.name + FACTS_SUFFIX
    const hasFacts = files.has(factsName)
    // Never without its facts: a link or a folder in their place is not read.
    if (names.has(factsName) && !hasFacts) {
      scan.unreadable++
      continue
    }
    const stats = await Promise.all(
      (hasFacts ? [path, path + FACTS_SUFFIX] : [path]).map((each) => statPath(join(root, each))),
    ).catch(() => null)
    // An empty document is one that is about to be written.
    if (!stats) scan.unreadable++
    else if (stats[0]!.size) {
      scan.candidates.push({ path, signature: stats.map(contentOf).join('|'), hasFacts })
    }
  }
}

/**
 * Opens a file of the folder for reading. Throws ELOOP where the path leads through a link, also one that took the
 * place of a file or folder since the scan.
 */
export async function openInside(root: string, path: string): Promise<{ handle: FileHandle; stats: Stats }> {
  const full = join(root, path)
  // The flags do not exist on Windows. Without O_NONBLOCK, opening a pipe would wait for its writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(full, flags)
  try {
    const [stats, atPath, real] = await Promise.all([
      handle.stat({ bigint: true }),
      statPath(full),
      realpath(full),
    ])
    if (!stats.isFile() || real !== full || atPath.ino !== stats.ino || atPath.dev !== stats.dev) {
      throw Object.assign(new Error('not a file of the folder'), { code: 'ELOOP' })
    }
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}
