import type { Updateable } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'

/** Returns what administrators have said of the setup. */
export const selectSetup = (db: Db) =>
  db.selectFrom('setup').select(['backup_stated_at', 'hidden_at']).executeTakeFirstOrThrow()

/** Locks the row until the transaction ends, and returns it. */
export const lockSetup = (db: Db) =>
  db.selectFrom('setup').select(['backup_stated_at', 'hidden_at']).forUpdate().executeTakeFirstOrThrow()

export const updateSetup = (db: Db, values: Updateable<DB['setup']>) =>
  db.updateTable('setup').set(values).execute()
