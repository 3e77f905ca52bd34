import { builder } from '../../graphql/builder.ts'
import { SITE_CHANGES, watchSite } from './watch-site.ts'

const SiteChangeType = builder.enumType('SiteChange', {
  description:
    "What has changed and must be reloaded: the settings, the categories, the user's own account, what the user has filed, or the requests for access, questions, news about patients and links with results that the user may read, or what the user's bell counts.",
  values: SITE_CHANGES,
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
