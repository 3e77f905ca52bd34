import { ACCENTS } from '../../../shared/site/accents.ts'
import type { SignInProvider } from '../../../shared/site/sign-in-providers.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { builder } from '../../graphql/builder.ts'
import { findSite } from './find-site.ts'

const AccentType = builder.enumType('Accent', {
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
  fields: (t) => ({
    name: t.exposeString('name'),
    title: t.exposeString('title'),
    phone: t.exposeString('phone'),
    email: t.exposeString('email'),
    address: t.exposeString('address'),
    url: t.exposeString('url'),
    favicon: t.exposeString('favicon'),
    logo: t.exposeString('logo'),
    logoNavigation: t.exposeString('logo_navigation'),
    logoNavigationWidth: t.exposeInt('logo_navigation_width'),
    locales: t.exposeStringList('locales'),
    branding: t.exposeBoolean('branding'),
    colorScheme: t.expose('color_scheme', { type: AccentType }),
    loginProvider: t.expose('login_provider', { type: SignInProviderType }),
  }),
})

builder.queryFields((t) => ({
  publicSite: t.withAuth({ anyClient: true }).field({
    type: PublicSite,
    skipTypeScopes: true,
    resolve: async (_root, _args, { db, services }) => {
      const site = await findSite(db)
      return { ...site, url: site.url || services.config.url }
    },
  }),
}))
