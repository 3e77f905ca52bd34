import { isDeepStrictEqual } from 'node:util'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { endPasswordSessions, endSessionsWithoutFactor } from '../accounts/sessions/end-sessions-by-policy.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { saveSettings } from './save-settings.ts'

/**
 * Saves settings and ends the sessions that they no longer allow: those without a second factor in roles that
 * now require one, and those begun with a password if the OpenID provider is now used, except
 * administrators'. New words of categories are searched in the open batches.
 */
export function saveSiteSettings(ctx: UserCtx, input: { version: number; changes: unknown }): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { before, after } = await saveSettings(tx, input)
    for (const id of await endSessions(tx, before, after)) {
      await recordAudit(tx, { action: 'session.end', subject: { type: 'user', id } })
      await publish(tx.db, { kind: 'account', id })
    }
    if (!isDeepStrictEqual(before.category_words, after.category_words))
      await tx.services.jobs.enqueue(tx.db, 'match-categories-again', {})
  })
}

/**
 * Ends the sessions that the new settings do not allow: without a second factor that the role now requires,
 * or by password where the OpenID provider is now required. Returns the ids of their users.
 */
async function endSessions(tx: UserCtx, before: SiteSettings, after: SiteSettings): Promise<Set<string>> {
  const ended = new Set<string>()
  const groups = after.second_factor_required.filter(
    (group) => !before.second_factor_required.includes(group),
  )
  if (groups.length > 0) for (const id of await endSessionsWithoutFactor(tx, groups)) ended.add(id)
  if (after.login_provider === 'oidc' && before.login_provider !== 'oidc') {
    for (const id of await endPasswordSessions(tx)) ended.add(id)
  }
  return ended
}
