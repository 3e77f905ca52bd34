import type { SiteSettings as Settings } from '../../../shared/site-settings.ts'
import type { UserCtx } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import { findSite } from '../site/find-site.ts'
import { selectLastSaving } from '../site/site.db.ts'
import { saveSiteSettings } from './save-site-settings.ts'

type SettingsState = {
  values: Settings
  version: number
  savedAt: Date | null
  savedBy: string | null
  hasProvider: boolean
}

const SiteSettings = builder.objectRef<SettingsState>('SiteSettings').implement({
  fields: (t) => ({
    values: t.expose('values', { type: 'JSON', description: 'Every setting by its name.' }),
    version: t.exposeInt('version'),
    savedAt: t.expose('savedAt', { type: 'DateTime', nullable: true }),
    savedBy: t.exposeString('savedBy', { nullable: true }),
    hasProvider: t.exposeBoolean('hasProvider', {
      description: 'Whether the server has an OpenID provider that `login_provider` could name.',
    }),
  }),
})

async function findSettings({ db, hasProvider }: UserCtx): Promise<SettingsState> {
  // The version first: what is saved in between makes a conflict, not a loss.
  const { version, saved_at, name } = await selectLastSaving(db)
  return { values: await findSite(db), version, savedAt: saved_at, savedBy: name, hasProvider }
}

builder.queryFields((t) => ({
  siteSettings: t.field({
    type: SiteSettings,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => findSettings(ctx),
  }),
}))

builder.mutationFields((t) => ({
  saveSettings: t.field({
    type: SiteSettings,
    authScopes: { admin: true },
    args: {
      version: t.arg.int({ required: true }),
      changes: t.arg({ type: 'JSON', required: true, description: 'The settings to change, by name.' }),
    },
    resolve: async (_root, { version, changes }, ctx) => {
      await saveSiteSettings(ctx, { version, changes })
      return findSettings(ctx)
    },
  }),
}))
