import { NEW_SECOND_FACTOR_GROUPS } from '../../../shared/access/second-factor.ts'
import type { Ctx, SystemActor } from '../../context.ts'
import { upsertSettings } from './site.db.ts'

/**
 * Stores the settings that a new organisation begins with and that are not the default, which an organisation of before
 * keeps: administrators and reviewers need a second factor.
 */
export const storeFirstSettings = (tx: Ctx<SystemActor>): Promise<void> =>
  upsertSettings(tx.db, { second_factor_required: NEW_SECOND_FACTOR_GROUPS }, tx.now)
