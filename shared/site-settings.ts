import { z } from 'zod'
import { FEATURES } from './features.ts'
import { ROLES } from './roles.ts'

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
  /** The roles that come in with a second factor only. */
  second_factor_required: z.array(z.enum(ROLES)).default([]),
  /** Years after which a released result goes to the bin, where its category says nothing else; null: never. */
  retention_years: z.number().int().min(1).max(100).nullable().default(null),
  logo_navigation: shortText.default(''),
  logo_navigation_width: z.number().int().min(16).max(400).default(120),
  // The site search [1.7]. Without an application id the product's own search answers everything.
  search_application_id: z
    .string()
    .regex(/^[A-Za-z0-9]{0,30}$/)
    .default(''),
  search_public_key: z
    .string()
    .regex(/^[\w=+/-]{0,500}$/)
    .default(''),
  /** The service's smaller client, which only searches; the full one where it is off. */
  search_lite_client: z.boolean().default(true),
  /** What others look for, shown before anything is typed; of the full client only. */
  search_recommendations: z.boolean().default(false),
  /** Whether the service's client keeps answers for as long as the page stands. The product's own are never kept. */
  search_response_cache: z.boolean().default(true),
})
export type SiteSettings = z.infer<typeof siteSettings>

/** What the page itself carries for the browser before anybody has signed in. */
export type PublicSite = Pick<
  SiteSettings,
  | 'name'
  | 'title'
  | 'phone'
  | 'email'
  | 'url_backend'
  | 'color_scheme'
  | 'login_provider'
  | 'logo'
  | 'logo_navigation'
  | 'logo_navigation_width'
  | 'search_application_id'
  | 'search_public_key'
  | 'search_lite_client'
  | 'search_recommendations'
  | 'search_response_cache'
> & {
  /** Accounts that the sign-in page offers; empty outside the demo. */
  demoAccounts: { email: string; role: string }[]
  demoPassword: string | null
}
