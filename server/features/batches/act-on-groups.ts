import { LIMITS } from '../../../shared/limits.ts'
import { UserError } from '../../errors.ts'

/** A group that was left as it is, with the code of the error and its sentence. */
export type LeftGroup = { uploadId: string; code: string; reason: string }

/** What became of some groups of a batch. `endCursor`: continue after it; null if these were the last. */
export type ActedGroups = { done: string[]; left: LeftGroup[]; endCursor: string | null }

/**
 * Runs `act` for each of the groups, of which one more than `LIMITS.batchGroups` shows that others follow. A group that cannot
 * be changed is left, with the reason, and does not stop the others.
 */
export async function actOnGroups<Row extends { id: string }>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<ActedGroups> {
  const now = rows.slice(0, LIMITS.batchGroups)
  const acted: ActedGroups = {
    done: [],
    left: [],
    endCursor: rows.length > now.length ? now.at(-1)!.id : null,
  }
  for (const row of now) {
    try {
      await act(row)
      acted.done.push(row.id)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      acted.left.push({ uploadId: row.id, code: error.code, reason: error.userMessage })
    }
  }
  return acted
}
