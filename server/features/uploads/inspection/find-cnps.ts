import type { ScanResult } from '../../../../shared/uploads/files.ts'
import type { Ctx } from '../../../context.ts'
import { selectFileCnps, updateCnps } from '../files/files.db.ts'
import type { FoundCnps } from './found-cnps.ts'
import type { FileDetails } from './inspection.ts'

const WORKER = new URL('./summarize-cnps-worker.ts', import.meta.url)
const LIMITS = { seconds: 30, memory: 512 * 1024 ** 2 }

/** What the cross-check reads of a file; `cnps` is null if the file has no text. */
export type FileCnps = {
  id: string
  name: string
  scan_result: ScanResult
  facts: FileDetails
  /** Null: what it says of its patient was not read. */
  facts_read_at: Date | null
  cnps: FoundCnps | null
}

/**
 * Returns the CNPs in the files of an upload. Files inspected before CNPs were saved are searched now, in
 * sandbox processes, and the result is saved.
 */
export async function findCnpsOfFiles(ctx: Ctx, uploadId: string): Promise<FileCnps[]> {
  const files = await selectFileCnps(ctx.db, uploadId)
  const found = new Map<string, FoundCnps>()
  for (const { id, unsearched_text } of files) {
    if (unsearched_text === null) continue
    const cnps = await ctx.services.sandbox.run<string, FoundCnps>(WORKER, unsearched_text, {
      limits: LIMITS,
    })
    await updateCnps(ctx.db, id, cnps)
    found.set(id, cnps)
  }
  return files.map(({ unsearched_text: _text, ...file }) => ({
    ...file,
    cnps: found.get(file.id) ?? file.cnps,
  })) as FileCnps[]
}
