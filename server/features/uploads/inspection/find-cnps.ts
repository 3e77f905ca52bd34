import type { Ctx } from '../../../context.ts'
import { openSandbox } from '../../../platform/sandbox.ts'
import { selectFileCnps, selectUnsearchedTexts, updateCnps } from '../files/files.db.ts'
import type { FoundCnps } from './found-cnps.ts'
import type { FileDetails } from './inspection.ts'

const WORKER = new URL('./search-cnps-worker.ts', import.meta.url)
const LIMITS = { time: 30_000, memory: 1024 * 1024 ** 2 }

/** What the cross-check reads of a file; `cnps` is null if the file has no text. */
export type FileCnps = {
  id: string
  name: string
  scan_result: string
  facts: FileDetails
  cnps: FoundCnps | null
}

/**
 * Returns the CNPs in the files of an upload. Files inspected before CNPs were saved are searched now, in a
 * sandbox process, and the result is saved.
 */
export async function findCnpsOfFiles(ctx: Pick<Ctx, 'db'>, uploadId: string): Promise<FileCnps[]> {
  const unsearched = await selectUnsearchedTexts(ctx.db, uploadId)
  if (unsearched.length > 0) {
    const sandbox = openSandbox<string, FoundCnps>(WORKER, LIMITS)
    try {
      for (const { id, content_text } of unsearched)
        await updateCnps(ctx.db, id, await sandbox.run(content_text))
    } finally {
      sandbox.close()
    }
  }
  return (await selectFileCnps(ctx.db, uploadId)) as FileCnps[]
}
