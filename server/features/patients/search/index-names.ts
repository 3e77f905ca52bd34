import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { addNamePairs, lockNameIndexing, lockPatientsToIndex, updateNameIndexing } from './index-names.db.ts'

const BATCH_SIZE = 1_000

/**
 * Adds the entries that names from before migration 0039 lack: neighbouring words as one, umlauts as two letters, and words
 * after the eighth. Each batch is a transaction of its own, so that the job continues where it was ended.
 */
export async function indexNames(ctx: Ctx<SystemActor>): Promise<void> {
  while (await inTransaction(ctx, indexBatch));
}

/** Returns whether there is more to do. */
async function indexBatch({ db }: Ctx): Promise<boolean> {
  const progress = await lockNameIndexing(db)
  if (!progress) return false
  const patients = await lockPatientsToIndex(db, progress, BATCH_SIZE)
  await addNamePairs(db, patients)
  const isDone = patients.length < BATCH_SIZE
  await updateNameIndexing(db, isDone ? null : patients.at(-1)!.id)
  return !isDone
}
