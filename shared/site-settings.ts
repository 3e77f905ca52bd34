import { z } from 'zod'
import { FEATURES } from './features.ts'

const shortText = z.string().max(200)

/** Site settings [1.5], each with its default. `url` and `url_backend` empty: this server's own address. */
export const siteSettings = z.object({
  url: shortText.default(''),
  name: shortText.default('Dosar'),
  email: shortText.default(''),
  phone: shortText.default(''),
  title: shortText.default('Dosar – rezultate medicale'),
  address: shortText.default(''),
  favicon: shortText.default(''),
  logo: shortText.default(''),
  locales: z.array(z.literal('ro')).default(['ro']),
  branding: z.boolean().default(true),
  features: z.array(z.enum(FEATURES)).default([...FEATURES]),
  from_name: shortText.default('Dosar'),
  from_email: shortText.default(''),
  url_backend: shortText.default(''),
  color_scheme: shortText.default('lime'),
  login_provider: shortText.default('local'),
  logo_navigation: shortText.default(''),
  logo_navigation_width: z.number().int().min(16).max(400).default(120),
})
export type SiteSettings = z.infer<typeof siteSettings>

/** What the page itself carries for the browser before anybody has signed in. */
export type PublicSite = Pick<
  SiteSettings,
  | 'name'
  | 'title'
  | 'phone'
  | 'email'
  | 'color_scheme'
  | 'login_provider'
  | 'logo'
  | 'logo_navigation'
  | 'logo_navigation_width'
> & {
  /** Accounts that the sign-in page offers; empty outside the demo. */
  demoAccounts: { email: string; role: string }[]
  demoPassword: string | null
}
