import type { Db } from '../../../platform/database/database.ts'
import { hasAnyUser } from '../accounts.db.ts'

/**
 * Whether the database has any account. Without one, a start outside production adds the demo organisation.
 */
export const hasAccounts = (db: Db): Promise<boolean> => hasAnyUser(db)
