import type { Db } from '../../../platform/database/database.ts'
import { hasAnyUser } from '../accounts.db.ts'

/** Whether the database holds any account: an empty one is filled with the demo organisation at the first start. */
export const hasAccounts = (db: Db): Promise<boolean> => hasAnyUser(db)
