import { CSV_START, writeCsvRecord } from '../../../shared/csv/csv.ts'
import { type OperationKind, outcomeName } from '../../../shared/uploads/operations.ts'
import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getOperation } from './find-operation.ts'
import { selectExceptions } from './operations.db.ts'

/** Items fetched per query. */
const BATCH_SIZE = 1_000

/**
 * Returns the uploads that an operation has not changed, or not undone, as a CSV file, for its author and
 * administrators: their numbers and the reasons, and nothing of their patients. The export is recorded.
 */
export async function exportExceptions(
  ctx: UserCtx,
  id: string,
): Promise<{ number: number; chunks: AsyncGenerator<Uint8Array> }> {
  const { number, kind } = await getOperation(ctx, id)
  await recordAudit(ctx, { action: 'operation.export', subject: { type: 'operation', id } })
  return { number, chunks: writeChunks(ctx, id, kind) }
}

async function* writeChunks({ db }: UserCtx, id: string, kind: OperationKind) {
  yield Buffer.from(CSV_START + writeCsvRecord(['Încărcarea', 'Rezultat', 'De ce']))
  let after = 0
  for (;;) {
    const rows = await selectExceptions(db, id, after, BATCH_SIZE)
    const last = rows.at(-1)
    if (!last) return
    const records = rows.map(({ number, outcome, message }) =>
      writeCsvRecord([number === null ? '' : String(number), outcomeName(kind, outcome), message ?? '']),
    )
    yield Buffer.from(records.join(''))
    after = last.position
  }
}
