import type { Ctx } from '../../context.ts'
import { lockMergesExclusively, lockMergesForShare } from './patients.db.ts'

/**
 * Keeps patients from being merged until the transaction ends, so that a row written for a patient is not left
 * with one who was merged meanwhile. Called before the patient is read and before an upload is locked.
 */
export const blockMerges = async (tx: Ctx): Promise<void> => {
  await lockMergesForShare(tx.db)
}

/** Waits until no transaction writes a row for a patient or merges patients, and keeps them from it. */
export const lockMerges = async (tx: Ctx): Promise<void> => {
  await lockMergesExclusively(tx.db)
}
