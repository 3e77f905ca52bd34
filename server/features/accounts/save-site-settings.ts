import { inTransaction, type UserCtx } from '../../context.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { saveSettings } from '../site/save-settings.ts'
import { revokeSessionsWithoutFactor } from './sessions.db.ts'

/**
 * An administrator changes settings. Where a role must have a second factor from now on, whoever of it has none is out at
 * once, in every browser, and sets one up as they come in again.
 */
export function saveSiteSettings(ctx: UserCtx, input: { version: number; changes: unknown }): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { before, after } = await saveSettings(tx, input)
    const roles = after.second_factor_required.filter((role) => !before.second_factor_required.includes(role))
    if (roles.length === 0) return
    const ended = await revokeSessionsWithoutFactor(tx.db, roles, tx.now)
    for (const id of ended) {
      await recordAudit(tx, { action: 'session.end', subject: { type: 'user', id } })
      await announce(tx.db, { kind: 'account', id })
    }
  })
}
