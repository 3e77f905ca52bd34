import { ACCENTS } from '../../../shared/site/accents.ts'
import type { SignInProvider } from '../../../shared/site/sign-in-providers.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { builder } from '../../graphql/builder.ts'
import { findSite } from './find-site.ts'

export const AccentType = builder.enumType('Accent', {
  description: 'The accent colour of the interface.',
  values: ACCENTS,
})

export const SignInProviderType = builder.enumType('SignInProvider', {
  description: 'How users sign in.',
  values: {
    local: { description: 'With a password of this product.' },
    oidc: { description: 'Through an OpenID provider.' },
  } satisfies Record<SignInProvider, object>,
})

/** The public settings; each field is listed, so that a new setting is not public by default. */
const PublicSite = builder.objectRef<SiteSettings>('PublicSite').implement({
  description: 'The settings that can be read without signing in.',
  fields: (t) => ({
    name: t.exposeString('name'),
    title: t.exposeString('title', { description: 'Of the pages, in the browser.' }),
    phone: t.exposeString('phone'),
    email: t.exposeString('email'),
    address: t.exposeString('address'),
    url: t.exposeString('url', { description: 'The origin of the site: scheme, host and port.' }),
    favicon: t.exposeString('favicon', { description: 'An address on this server; empty if there is none.' }),
    logo: t.exposeString('logo', { description: 'An address on this server; empty if there is none.' }),
    logoNavigation: t.exposeString('logo_navigation', {
      description: 'The logo of the navigation: an address on this server; empty if there is none.',
    }),
    logoNavigationWidth: t.exposeInt('logo_navigation_width', { description: 'In px.' }),
    locales: t.exposeStringList('locales', { description: 'Always `ro` alone.' }),
    branding: t.exposeBoolean('branding', { description: 'Whether pages show the credit of the product.' }),
    colorScheme: t.expose('color_scheme', { type: AccentType }),
    loginProvider: t.expose('login_provider', { type: SignInProviderType }),
  }),
})

builder.queryFields((t) => ({
  publicSite: t.withAuth({ anyClient: true }).field({
    description: 'The public settings of the site.',
    type: PublicSite,
    skipTypeScopes: true,
    resolve: async (_root, _args, { db, services }) => {
      const site = await findSite(db)
      return { ...site, url: site.url || services.config.url }
    },
  }),
}))
