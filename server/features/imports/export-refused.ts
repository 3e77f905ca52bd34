import { CSV_START, writeCsvRecord } from '../../../shared/csv/csv.ts'
import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getImport, hasResults } from './find-import.ts'
import { selectOutcomeLines } from './imports.db.ts'

/** Rows fetched per query. */
const BATCH_SIZE = 1_000
/** The column with what is wrong, which no field has: the file can be imported again. */
const REASON = 'Motivul refuzului'

/**
 * Returns the refused rows of an own import as a CSV file with its columns and the reasons, so that they can be mended and
 * imported again. The download is recorded before any data is returned.
 */
export async function exportRefused(ctx: UserCtx, id: string): Promise<AsyncGenerator<Uint8Array>> {
  const found = await getImport(ctx, id)
  const { headings, column_count } = found
  await recordAudit(ctx, { action: 'import.download', subject: { type: 'import', id } })
  const of = hasResults(found) ? 'result' : 'outcome'
  // A reason of an earlier download is not kept beside the new one.
  const kept = Array.from({ length: column_count }, (_, place) => place).filter(
    (place) => headings[place] !== REASON,
  )
  async function* write() {
    const titles = kept.map((place) => headings[place] ?? '')
    yield Buffer.from(CSV_START + (headings.length > 0 ? writeCsvRecord([...titles, REASON]) : ''))
    for (let after = 0; ; ) {
      const query = { outcome: 'refused', of, after, limit: BATCH_SIZE } as const
      const lines = await selectOutcomeLines(ctx.db, id, query)
      const text = lines.map(({ cells, problems, result_problems }) => {
        const reasons = (result_problems ?? problems ?? []).map(({ message }) => message)
        return writeCsvRecord([...kept.map((place) => cells[place] ?? ''), reasons.join(' ')])
      })
      if (text.length > 0) yield Buffer.from(text.join(''))
      if (lines.length < BATCH_SIZE) return
      after = lines.at(-1)!.line
    }
  }
  return write()
}
