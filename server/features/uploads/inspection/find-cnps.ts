import type { Ctx } from '../../../context.ts'
import { openSandbox } from '../../../platform/sandbox.ts'
import { selectFileCnps, updateCnps } from '../files/files.db.ts'
import type { FoundCnps } from './found-cnps.ts'
import type { FileDetails } from './inspection.ts'

const WORKER = new URL('./summarize-cnps-worker.ts', import.meta.url)
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
  const files = await selectFileCnps(ctx.db, uploadId)
  const found = new Map<string, FoundCnps>()
  const unsearched = files.filter(({ unsearched_text }) => unsearched_text !== null)
  if (unsearched.length > 0) {
    const sandbox = openSandbox<string, FoundCnps>(WORKER, LIMITS)
    try {
      for (const { id, unsearched_text } of unsearched) {
        const cnps = await sandbox.run(unsearched_text!)
        await updateCnps(ctx.db, id, cnps)
        found.set(id, cnps)
      }
    } finally {
      sandbox.close()
    }
  }
  return files.map(({ unsearched_text: _text, ...file }) => ({
    ...file,
    cnps: found.get(file.id) ?? file.cnps,
  })) as FileCnps[]
}
