import type { SiteSettings } from '../../../shared/site-settings.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { saveSettings } from '../site/save-settings.ts'
import { deletePasswordPendingSignIns } from './second-factor.db.ts'
import { revokePasswordSessions, revokeSessionsWithoutFactor } from './sessions.db.ts'

/**
 * An administrator changes settings. Where a role must have a second factor from now on, whoever of it has none is out at
 * once, in every browser, and sets one up as they come in again. Where a provider says from now on who people are, whoever
 * came in by a password is out, but administrators.
 */
export function saveSiteSettings(ctx: UserCtx, input: { version: number; changes: unknown }): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { before, after } = await saveSettings(tx, input)
    for (const id of await endSessions(tx, before, after)) {
      await recordAudit(tx, { action: 'session.end', subject: { type: 'user', id } })
      await announce(tx.db, { kind: 'account', id })
    }
  })
}

/** Answers whose they were, each once. */
async function endSessions(tx: UserCtx, before: SiteSettings, after: SiteSettings): Promise<Set<string>> {
  const ended = new Set<string>()
  const roles = after.second_factor_required.filter((role) => !before.second_factor_required.includes(role))
  if (roles.length > 0)
    for (const id of await revokeSessionsWithoutFactor(tx.db, roles, tx.now)) ended.add(id)
  if (after.login_provider === 'oidc' && before.login_provider !== 'oidc') {
    await deletePasswordPendingSignIns(tx.db)
    for (const id of await revokePasswordSessions(tx.db, tx.now)) ended.add(id)
  }
  return ended
}
