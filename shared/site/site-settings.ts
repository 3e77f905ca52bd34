import { z } from 'zod'
import { FEATURES } from '../access/features.ts'
import { SECOND_FACTOR_GROUPS } from '../access/second-factor.ts'
import { LIMITS } from '../limits.ts'
import { ACTIVE_CONTENT_CHOICES } from '../uploads/active-content.ts'
import { SLUG_PATTERN } from '../uploads/categories.ts'
import { ACCENTS } from './accents.ts'
import { CATEGORY_WORDS_MAX, DELIVERIES, SETTING_BOUNDS, SHARE_PROOFS } from './setting-bounds.ts'
import { SIGN_IN_PROVIDERS } from './sign-in-providers.ts'

const shortText = z.string().max(200)
/** The maximum length of an e-mail address. */
const emailAddress = z.string().max(254)
const whole = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max)

/** Site settings [1.5], each with its default. `url` and `url_backend` empty: this server's own address. */
export const siteSettings = z.object({
  url: shortText.default(''),
  name: shortText.default('Dosar'),
  email: emailAddress.default(''),
  phone: shortText.default(''),
  title: shortText.default('Dosar – rezultate medicale'),
  address: shortText.default(''),
  favicon: shortText.default(''),
  logo: shortText.default(''),
  locales: z.array(z.literal('ro')).default(['ro']),
  branding: z.boolean().default(true),
  features: z.array(z.enum(FEATURES)).default([...FEATURES]),
  from_name: shortText.default('Dosar'),
  from_email: emailAddress.default(''),
  url_backend: shortText.default(''),
  color_scheme: z.enum(ACCENTS).default('lime'),
  login_provider: z.enum(SIGN_IN_PROVIDERS).default('local'),
  /** Who needs a second factor to sign in; a new organisation begins with administrators and reviewers. */
  second_factor_required: z.array(z.enum(SECOND_FACTOR_GROUPS)).default([]),
  /** Whether reviewers may accept uploads that they filed themselves. */
  self_review: z.boolean().default(false),
  /** Seconds within which a reviewer can undo a verdict; the release waits for them. */
  undo_seconds: whole(SETTING_BOUNDS.undo_seconds).default(10),
  /** Whether a page refreshes its session when it becomes visible again [4.4]. */
  session_refresh_visible: z.boolean().default(true),
  /** Milliseconds after which a visible page refreshes its session [4.4]; null: never. */
  session_refresh_ms: whole(SETTING_BOUNDS.session_refresh_ms).nullable().default(null),
  /** Hours without use after which a session ends. */
  session_idle_hours: whole(SETTING_BOUNDS.session_idle_hours).default(12),
  logo_navigation: shortText.default(''),
  logo_navigation_width: whole(SETTING_BOUNDS.logo_navigation_width).default(120),
  // The site search [1.7]. Without an application id only the product's own search is used.
  search_application_id: z
    .string()
    .regex(/^[A-Za-z0-9]{0,30}$/)
    .default(''),
  search_public_key: z
    .string()
    .regex(/^[\w=+/-]{0,500}$/)
    .default(''),
  /** Whether to use the service's smaller client, which only searches, instead of the full one. */
  search_lite_client: z.boolean().default(true),
  /** Whether to show frequent searches before anything is typed; only with the full client. */
  search_recommendations: z.boolean().default(false),
  /**
   * Whether the service's client caches responses until the page is closed. The product's own search never
   * does.
   */
  search_response_cache: z.boolean().default(true),
  /** How a new institution is notified of its results. */
  delivery_default: z.enum(DELIVERIES).default('at_once'),
  /** Days after which an institution is reminded of results that nobody there has opened; 0: never. */
  reminder_days: whole(SETTING_BOUNDS.reminder_days).default(7),
  /** Days that a share link is valid by default, and at most. */
  share_days: whole(SETTING_BOUNDS.share_days).default(7),
  share_days_max: whole(SETTING_BOUNDS.share_days_max).default(30),
  share_proofs: z.array(z.enum(SHARE_PROOFS)).default([...SHARE_PROOFS]),
  /** Hours from the examination to the filing, to the release, and to the first opening that are in time. */
  target_filing_hours: whole(SETTING_BOUNDS.target_filing_hours).default(24),
  target_release_hours: whole(SETTING_BOUNDS.target_release_hours).default(24),
  target_opening_hours: whole(SETTING_BOUNDS.target_opening_hours).default(72),
  /** Years after which an upload expires if its category has no retention; null: never. */
  retention_years: whole(SETTING_BOUNDS.retention_years).nullable().default(null),
  upload_file_mib: whole(SETTING_BOUNDS.upload_file_mib).default(2048),
  upload_files: whole(SETTING_BOUNDS.upload_files).default(20),
  /** Hours after which an unfinished file without activity is deleted. */
  upload_unfinished_hours: whole(SETTING_BOUNDS.upload_unfinished_hours).default(24),
  upload_unfinished_per_user: whole(SETTING_BOUNDS.upload_unfinished_per_user).default(50),
  /** What happens to a file with macros, remote templates or active PDF content; programs are always rejected. */
  upload_active_content: z.enum(ACTIVE_CONTENT_CHOICES).default('mark'),
  /** Words and phrases in files by which a category is proposed, besides its name. */
  category_words: z
    .array(
      z.object({
        slug: shortText.regex(SLUG_PATTERN),
        words: z.array(shortText.min(1)).max(CATEGORY_WORDS_MAX),
      }),
    )
    .max(LIMITS.categories)
    .default([]),
})
export type SiteSettings = z.infer<typeof siteSettings>

/**
 * The settings of access: who signs in and how, for how long, with which functions, and where browsers send their tokens. A
 * change of one requires a fresh proof.
 */
export const ACCESS_SETTINGS = [
  'url',
  'url_backend',
  'features',
  'login_provider',
  'second_factor_required',
  'session_refresh_visible',
  'session_refresh_ms',
  'session_idle_hours',
  'share_days',
  'share_days_max',
  'share_proofs',
] as const satisfies readonly (keyof SiteSettings)[]

/** The settings of review, each with its value that checks less. A change to that value requires a fresh proof. */
export const LESS_CHECKED = {
  self_review: true,
  upload_active_content: 'mark',
} as const satisfies Partial<SiteSettings>

/** The settings that are public; a new setting is not public by default. */
export const PUBLIC_SETTINGS = [
  'name',
  'title',
  'phone',
  'email',
  'address',
  'branding',
  'url_backend',
  'color_scheme',
  'login_provider',
  'session_refresh_visible',
  'session_refresh_ms',
  'favicon',
  'logo',
  'logo_navigation',
  'logo_navigation_width',
  'search_application_id',
  'search_public_key',
  'search_lite_client',
  'search_recommendations',
  'search_response_cache',
  'delivery_default',
  'share_days',
  'share_days_max',
  'share_proofs',
  'upload_file_mib',
  'upload_files',
] as const satisfies readonly (keyof SiteSettings)[]

/** What the page contains for the browser before sign-in. */
export type PublicSite = Pick<SiteSettings, (typeof PUBLIC_SETTINGS)[number]> & {
  /** Accounts offered on the sign-in page; empty outside the demo. */
  demoAccounts: { email: string; role: string }[]
  demoPassword: string | null
  /** Whether there is a websocket [7.9]. */
  realtime: boolean
}
