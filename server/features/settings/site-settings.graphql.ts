import { builder } from '../../graphql/builder.ts'
import { VERSION, versionArg } from '../../graphql/describe.ts'
import { readSiteSettings, type SettingsState } from './read-site-settings.ts'
import { saveSiteSettings } from './save-site-settings.ts'

const SiteSettings = builder.objectRef<SettingsState>('SiteSettings').implement({
  authScopes: { admin: true },
  description: 'The settings of the site, as administrators see them.',
  fields: (t) => ({
    values: t.expose('values', { type: 'JSON', description: 'Every setting by its name.' }),
    version: t.exposeInt('version', VERSION),
    savedAt: t.expose('savedAt', {
      description: 'Null if they were never saved.',
      type: 'DateTime',
      nullable: true,
    }),
    savedBy: t.exposeString('savedBy', {
      description: 'The name of the administrator; null if they were never saved.',
      nullable: true,
    }),
    hasProvider: t.exposeBoolean('hasProvider', {
      description: 'Whether the server has an OpenID provider that `login_provider` could name.',
    }),
  }),
})

builder.queryFields((t) => ({
  siteSettings: t.field({
    description: 'All settings of the site.',
    type: SiteSettings,
    authScopes: { admin: true },
    resolve: (_root, _args, ctx) => readSiteSettings(ctx),
  }),
}))

builder.mutationFields((t) => ({
  saveSettings: t.field({
    description: 'Changes settings of the site.',
    type: SiteSettings,
    authScopes: { admin: true },
    args: {
      version: versionArg(t),
      changes: t.arg({ type: 'JSON', required: true, description: 'The settings to change, by name.' }),
    },
    resolve: async (_root, { version, changes }, ctx) => {
      await saveSiteSettings(ctx, { version, changes })
      return readSiteSettings(ctx)
    },
  }),
}))
