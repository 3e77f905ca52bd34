import { type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../../shared/limits.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import { countRows } from '../../../platform/database/count-rows.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { UploadScope } from '../uploads.access.ts'
import { visible } from '../uploads.db.ts'

const inState = (db: Db, scope: UploadScope, state: UploadState) =>
  db.selectFrom('upload').where(visible(scope)).where('upload.state', '=', state)

/** Counts the visible uploads in each of the states, up to `LIMITS.shownCount`. */
export const countByState = (db: Db, scope: UploadScope, states: readonly UploadState[]) =>
  Promise.all(
    states.map(async (state) => ({
      state,
      count: await countRows(db, inState(db, scope, state).select('upload.id').limit(LIMITS.shownCount)),
    })),
  )

/** Returns how many uploads in review have waited as long as this one or longer, itself included, up to `LIMITS.shownCount`. */
export const countUpTo = (
  db: Db,
  scope: UploadScope,
  { id, state_since }: { id: string; state_since: Date },
): Promise<number> =>
  countRows(
    db,
    inState(db, scope, 'in_review')
      .where(sql<SqlBool>`(upload.state_since, upload.id) <= (${state_since}, ${id}::uuid)`)
      .select('upload.id')
      .limit(LIMITS.shownCount),
  )
