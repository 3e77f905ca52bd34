import { builder } from '../../graphql/builder.ts'
import { readSiteSettings, type SettingsState } from './read-site-settings.ts'
import { saveSiteSettings } from './save-site-settings.ts'

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

builder.queryFields((t) => ({
  siteSettings: t.field({
    type: SiteSettings,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => readSiteSettings(ctx),
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
      return readSiteSettings(ctx)
    },
  }),
}))
