import { setTimeout as pause } from 'node:timers/promises'
import type { ImportCounts, ImportOutcome } from '../../../shared/imports/patient-imports.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'
import { findActorOfAccount } from '../accounts/sessions/find-actor.ts'
import { checkRows } from './check-rows.ts'
import { importRows } from './import-rows.ts'
import { canImportPatients } from './imports.access.ts'
import {
  type ImportRow,
  lockImport,
  selectImport,
  selectLinesAfter,
  updateImport,
  updateOutcomes,
  updateResults,
} from './imports.db.ts'
import { readImport } from './read-import.ts'

/** Rows of one transaction: few enough that a request waits for them only for a moment. */
const BATCH_ROWS = 100
/** Between two batches, for the requests that wait. */
const PAUSE_MS = 5

/**
 * Does what is to be done with an import: reads its file, checks its rows or imports them, from the row where the last run
 * ended. It may run several times at once: each batch locks the import and goes on where the stored rows say.
 */
export async function workOnImport(ctx: Ctx<SystemActor>, importId: string): Promise<void> {
  const found = await selectImport(ctx.db, importId)
  if (found?.state === 'reading') await readImport(ctx, found)
  while (await runBatch(ctx, importId)) await pause(PAUSE_MS)
}

/** Returns whether there is more to do. A patient who was created meanwhile makes the batch run again, and be judged anew. */
async function runBatch(ctx: Ctx<SystemActor>, importId: string): Promise<boolean> {
  try {
    return await inTransaction({ ...ctx, now: new Date() }, (tx) => work(tx, importId))
  } catch (error) {
    if (isUniqueViolation(error, 'patient_cnp')) return true
    throw error
  }
}

async function work(tx: Ctx<SystemActor>, importId: string): Promise<boolean> {
  const found = await lockImport(tx.db, importId)
  if (found?.state !== 'checking' && found?.state !== 'importing') return false
  const isImport = found.state === 'importing'
  const actor = await findActorOfAccount(tx.db, found.created_by)
  if (!actor || !canImportPatients(actor) || found.institution_suspended_at !== null) {
    await updateImport(tx.db, importId, { state: isImport ? 'stopped' : 'read' })
    return false
  }
  const after = isImport ? found.imported_line : found.checked_line
  const lines = await selectLinesAfter(tx.db, importId, after, BATCH_ROWS)
  const last = lines.at(-1)?.line
  if (last === undefined) {
    await updateImport(tx.db, importId, isImport ? { state: 'done', ended_at: tx.now } : { state: 'checked' })
    return false
  }
  if (isImport) {
    const results = await importRows({ ...tx, actor }, found, lines)
    await updateResults(tx.db, importId, results)
    const imported = countMore(
      found.imported,
      results.map(({ result }) => result),
    )
    await updateImport(tx.db, importId, { imported_line: last, imported })
  } else {
    const outcomes = await checkRows(tx, found, lines)
    await updateOutcomes(tx.db, importId, outcomes)
    const checked = countMore(
      found.checked,
      outcomes.map(({ outcome }) => outcome),
    )
    await updateImport(tx.db, importId, { checked_line: last, checked })
  }
  return true
}

function countMore(counts: ImportRow['checked'], outcomes: readonly ImportOutcome[]): ImportCounts {
  const sum = { ...counts }
  for (const outcome of outcomes) sum[outcome] = (sum[outcome] ?? 0) + 1
  return sum
}
