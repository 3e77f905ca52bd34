import type { Ctx } from '../../../context.ts'
import type { Scanner } from '../../../platform/clamd.ts'
import { SandboxFailure, type SandboxLimits } from '../../../platform/sandbox/sandbox.ts'
import { addSenderFacts } from '../readings/add-sender-facts.ts'
import type { FileRow } from '../uploads.db.ts'
import { addCodes } from './add-codes.ts'
import type { InspectionTask } from './inspect-file.ts'
import { type Inspection, rejectFile } from './inspection.ts'
import { scanAndInspect } from './scan-and-inspect.ts'

const WORKER = new URL('./inspect-file-worker.ts', import.meta.url)
/** Seconds of processor time for any file, and for each further part of its size, up to a maximum. */
const SECONDS = { least: 10, most: 60, bytesPerSecond: 512 * 1024 }

export type StoredFile = Pick<FileRow, 'id' | 'name' | 'kind' | 'size' | 'storage_key'>
/** `mayConfirm`: the file may confirm its patient without a reviewer. `kept`: how it was inspected before. */
type InspectOptions = {
  mayConfirm: boolean
  authorId: string
  scanner: Scanner | null
  kept?: Inspection | undefined
}

/**
 * Scans a stored file and inspects it in a sandbox process, in the lanes, as a task of its author; with `kept` it is only
 * scanned.
 */
export async function inspectStoredFile(
  ctx: Ctx,
  { id, name, kind, size, storage_key: key }: StoredFile,
  { mayConfirm, authorId, scanner, kept }: InspectOptions,
): Promise<Inspection> {
  const limits = { seconds: secondsFor(size), memory: ctx.services.lanes.memory }
  const handle = await ctx.services.storage.open(key)
  try {
    if (kept) return await scanAndInspect(scanner, handle, async () => kept)
    const run = (task: InspectionTask) =>
      ctx.services.lanes.run(authorId, (turn) =>
        ctx.services.sandbox.run<InspectionTask, Inspection>(WORKER, task, { limits, file: handle, ...turn }),
      )
    const task = { name, mayConfirm, limits }
    // Outside the lanes, since a scanner that does not respond must not hold one.
    const inspection = await scanAndInspect(scanner, handle, () =>
      run(task).catch((error: unknown) => {
        if (!(error instanceof SandboxFailure) || kind !== 'pdf') throw error
        ctx.services.log.warn('upload: the text of a PDF takes too long to read', { file: id, size })
        return run({ ...task, skipsText: true })
      }),
    )
    return await addSenderFacts(ctx, await addCodes(ctx, inspection, { id, handle, authorId }), id)
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    ctx.services.log.warn('upload: the inspection of a file failed', { file: id, kind, size })
    return rejectFile('unreadable')
  } finally {
    await handle.close()
  }
}

const secondsFor = (size: number): SandboxLimits['seconds'] =>
  Math.min(SECONDS.most, SECONDS.least + Math.ceil(size / SECONDS.bytesPerSecond))
