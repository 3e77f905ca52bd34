import type { Db } from '../../../platform/database/database.ts'
import { hasAnyUser } from '../accounts.db.ts'

/**
 * Returns whether the database contains any account; an empty one is filled with the demo organisation at
 * first start.
 */
export const hasAccounts = (db: Db): Promise<boolean> => hasAnyUser(db)
