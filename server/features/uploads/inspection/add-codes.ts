import type { FileHandle } from 'node:fs/promises'
import type { Ctx } from '../../../context.ts'
import { SandboxFailure } from '../../../platform/sandbox/sandbox.ts'
import type { CodesTask } from './facts/codes.ts'
import { type KeptFacts, keepWithin } from './facts/distinct-facts.ts'
import { type FileDetails, type Inspection, MAX_PAGES_NAMED } from './inspection.ts'

const WORKER = new URL('./facts/read-codes-worker.ts', import.meta.url)
/** Seconds of processor time for the codes of one file. */
const SECONDS = 15

/**
 * Returns the inspection with what the codes on a picture, or on the pages of a PDF without text, say. They are read
 * in a process of their own, so that one that takes too long or crashes does not change the result of the inspection.
 */
export async function addCodes(
  ctx: Ctx,
  inspection: Inspection,
  { id, handle, authorId }: { id: string; handle: FileHandle; authorId: string },
): Promise<Inspection> {
  if (!inspection.accepted) return inspection
  const { kind, facts: details } = inspection
  const pages = kind === 'image' ? [1] : (details.pagesWithoutText ?? [])
  if ((kind !== 'image' && kind !== 'pdf') || pages.length === 0) return inspection
  const { facts: codes, isCut } = await readCodes(
    ctx,
    { kind, pages, seconds: SECONDS },
    { id, handle, authorId },
  )
  const read = new Set(codes.map(({ place }) => place.page))
  const kept = keepWithin([...inspection.stated, ...codes])
  const facts = withoutRead(details, pages, read)
  const cut = isCut || kept.isCut ? ({ factsCut: true } as const) : {}
  return { ...inspection, stated: kept.facts, facts: { ...facts, ...cut } }
}

/** Returns the details without the pages on which a code says something. */
function withoutRead(
  { noText: _noText, pagesWithoutText: _pages, ...details }: FileDetails,
  pages: readonly number[],
  read: ReadonlySet<number | undefined>,
): FileDetails {
  const left = pages.filter((page) => !read.has(page))
  // More pages may have no text than are named.
  if (left.length === 0 && pages.length < MAX_PAGES_NAMED) return details
  return { ...details, noText: true, ...(_pages && { pagesWithoutText: left }) }
}

async function readCodes(
  { services: { lanes, log, sandbox } }: Ctx,
  task: CodesTask,
  { id, handle, authorId }: { id: string; handle: FileHandle; authorId: string },
): Promise<KeptFacts> {
  const limits = { seconds: SECONDS, memory: lanes.memory }
  try {
    return await lanes.run(authorId, (turn) =>
      sandbox.run<CodesTask, KeptFacts>(WORKER, task, { limits, file: handle, ...turn }),
    )
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    log.warn('upload: the codes of a file could not be read', { file: id })
    return { facts: [], isCut: false }
  }
}
