import { builder } from '../../graphql/builder.ts'
import { type SiteChange, watchSite } from './watch-site.ts'

const VALUES = ['SITE', 'CATEGORIES', 'ACCOUNT'] as const satisfies readonly SiteChange[]

const SiteChangeType = builder.enumType('SiteChange', {
  description:
    "What has changed and must be reloaded: the settings, the categories, or the user's own account.",
  values: VALUES,
})

builder.subscriptionFields((t) => ({
  siteChanged: t.field({
    description: 'Announces each change that the reader must load.',
    type: SiteChangeType,
    authScopes: { signedIn: true },
    subscribe: (_root, _args, ctx) => watchSite(ctx),
    resolve: (change) => change,
  }),
}))
