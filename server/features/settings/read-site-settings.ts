import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { findLastSave, findSite } from '../site/find-site.ts'
import { canEditSettings } from '../site/site.access.ts'

export type SettingsState = {
  values: SiteSettings
  version: number
  savedAt: Date | null
  savedBy: string | null
  hasProvider: boolean
}

/** Returns all settings with the version to save against, for administrators. */
export async function readSiteSettings(ctx: UserCtx): Promise<SettingsState> {
  if (!canEditSettings(ctx.actor)) throw forbidden('read settings')
  // The version is read first: a save in between then causes a conflict, not a lost change.
  const { version, saved_at, name } = await findLastSave(ctx.db)
  const values = await findSite(ctx.db)
  return { values, version, savedAt: saved_at, savedBy: name, hasProvider: ctx.services.config.oidc !== null }
}
