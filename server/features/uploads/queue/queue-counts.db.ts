import { type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../../shared/limits.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { UploadScope } from '../uploads.access.ts'
import { visible } from '../uploads.db.ts'

const inState = (db: Db, scope: UploadScope, state: UploadState) =>
  db.selectFrom('upload').where(visible(scope)).where('upload.state', '=', state)

/** Counts the visible uploads in each of the states, up to `LIMITS.shownCount`. */
export const countByState = (db: Db, scope: UploadScope, states: readonly UploadState[]) =>
  Promise.all(
    states.map(async (state) => {
      const { count } = await db
        .selectFrom(inState(db, scope, state).select('upload.id').limit(LIMITS.shownCount).as('counted'))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return { state, count }
    }),
  )

/** Returns how many uploads in review have waited as long as this one or longer, itself included, up to `LIMITS.shownCount`. */
export async function countUpTo(
  db: Db,
  scope: UploadScope,
  { id, state_since }: { id: string; state_since: Date },
): Promise<number> {
  const earlier = inState(db, scope, 'in_review')
    .where(sql<SqlBool>`(upload.state_since, upload.id) <= (${state_since}, ${id}::uuid)`)
    .select('upload.id')
    .limit(LIMITS.shownCount)
  const { count } = await db
    .selectFrom(earlier.as('earlier'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
