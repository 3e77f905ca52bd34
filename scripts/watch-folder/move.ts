import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { dirname, extname } from 'node:path/posix'
import {
  ACCEPTED,
  contentOf,
  FACTS_SUFFIX,
  openInside,
  REASON_SUFFIX,
  REFUSED,
  type Stats,
  statPath,
} from './scan.ts'
import { hashFile } from './send.ts'

/** A document whose answer arrived, and what was sent of it. */
export type Sent = { path: string; stats: Stats; factsSha256: string | null }

/** A move of a document with its facts, written down before it begins: two files cannot move at once. */
type Move = { from: string; to: string; written: string; factsSha256: string }

const MOVE_PREFIX = '.mutare-'

export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Returns the hash of the facts beside the document, null where there are none. */
export async function hashFacts(root: string, path: string): Promise<string | null> {
  const opened = await openInside(root, path + FACTS_SUFFIX).catch(ignoreMissing)
  try {
    return opened && (await hashFile(opened.handle))
  } finally {
    await opened?.handle.close()
  }
}

/**
 * Moves a document and its facts out of the way, with the reason beside it where it was refused. Returns false where
 * one of the two has changed meanwhile: then both stay, and are sent.
 */
export async function moveAway(root: string, sent: Sent, reason: string | null): Promise<boolean> {
  const { path, stats, factsSha256 } = sent
  const to = await freeTarget(root, `${reason === null ? ACCEPTED : REFUSED}/${path}`)
  await makeFolder(root, dirname(to))
  const isSame = async () =>
    contentOf(await statPath(join(root, path))) === contentOf(stats) &&
    (await hashFacts(root, path)) === factsSha256
  if (!(await isSame())) return false
  if (reason !== null) await writeWhole(join(root, to + REASON_SUFFIX), reason)
  const journal =
    factsSha256 && (await writeMove(root, { from: path, to, written: writtenOf(stats), factsSha256 }))
  await rename(join(root, path), join(root, to))
  if (journal) await finishMove(root, journal)
  return true
}

/** Ends the moves that a killed process left half done: facts that stayed behind would go with the next document. */
export async function finishMoves(root: string): Promise<void> {
  const names = await readdir(join(root, ACCEPTED)).catch(ignoreMissing)
  for (const name of names ?? []) {
    if (name.startsWith(MOVE_PREFIX) && name.endsWith('.json')) await finishMove(root, name)
  }
}

/** What says that a document is still the one that was to be moved, also after the machine was restarted. */
const writtenOf = ({ size, mtimeNs }: Stats) => `${size}:${mtimeNs}`

async function writeMove(root: string, move: Move): Promise<string> {
  await makeFolder(root, ACCEPTED)
  const name = `${MOVE_PREFIX}${sha256Of(move.from).slice(0, 32)}.json`
  await writeWhole(join(root, ACCEPTED, name), JSON.stringify(move))
  return name
}

/** Moves the facts after their document, unless that was not moved or they are no longer the ones that were sent. */
async function finishMove(root: string, name: string): Promise<void> {
  const journal = join(root, ACCEPTED, name)
  const move = readMove(root, await readFile(journal, 'utf8'))
  if (move && (await mayMoveFacts(root, move))) {
    await makeFolder(root, dirname(move.to))
    await rename(join(root, move.from) + FACTS_SUFFIX, join(root, move.to) + FACTS_SUFFIX)
  }
  await rm(journal, { force: true })
}

async function mayMoveFacts(root: string, { from, to, written, factsSha256 }: Move): Promise<boolean> {
  const left = await statPath(join(root, from)).catch(ignoreMissing)
  const isMoved = (await exists(join(root, to))) || !left || writtenOf(left) !== written
  return isMoved && (await hashFacts(root, from)) === factsSha256
}

/** Returns null for what `writeMove` has not written: others write into the folder too, and must not reach files outside of it. */
function readMove(root: string, text: string): Move | null {
  try {
    const move: Move = JSON.parse(text)
    const isBelow = (folder: string, path: string) => join(root, path).startsWith(join(root, folder, sep))
    const isTarget = isBelow(ACCEPTED, move.to) || isBelow(REFUSED, move.to)
    return isTarget && isBelow('.', move.from) ? move : null
  } catch {
    return null
  }
}

/** Throws ELOOP where the folder is elsewhere, behind a link. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const full = join(root, folder)
  await mkdir(full, { recursive: true })
  if ((await realpath(full)) !== full) throw Object.assign(new Error('a link'), { code: 'ELOOP' })
}

/** Returns the path, or the path with a number, at which there is no document yet, nor facts of one. */
async function freeTarget(root: string, path: string): Promise<string> {
  const extension = extname(path)
  const stem = path.slice(0, path.length - extension.length)
  for (let number = 1; ; number++) {
    const target = number === 1 ? path : `${stem}-${number}${extension}`
    const full = join(root, target)
    if (!(await exists(full)) && !(await exists(full + FACTS_SUFFIX))) return target
  }
}

/** Writes a small file that is there either whole or not at all, also after a power failure. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text, { flush: true })
  await rename(`${path}.tmp`, path)
}

const exists = (path: string): Promise<boolean> =>
  statPath(path).then(
    () => true,
    (error) => ignoreMissing(error) !== null,
  )

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
