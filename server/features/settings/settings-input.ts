import { z } from 'zod'
import { FEATURES } from '../../../shared/access/features.ts'
import { SECOND_FACTOR_GROUPS } from '../../../shared/access/second-factor.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { ACCENTS } from '../../../shared/site/accents.ts'
import {
  CATEGORY_WORDS_MAX,
  DELIVERIES,
  SETTING_BOUNDS,
  SHARE_PROOFS,
} from '../../../shared/site/setting-bounds.ts'
import { SIGN_IN_PROVIDERS } from '../../../shared/site/sign-in-providers.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import { ACTIVE_CONTENT_CHOICES } from '../../../shared/uploads/active-content.ts'
import { SLUG_PATTERN } from '../../../shared/uploads/categories.ts'
import { invalid } from '../../errors.ts'
import { optionalEmail, optionalPhone, optionalText, requiredText } from '../../validation.ts'

const orEmpty = (value: string | null) => value ?? ''
const onOff = z.boolean('Alege pornit sau oprit.')
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, 'Alege una dintre opțiuni.')
const UNKNOWN_OPTION_MESSAGE = 'Alege dintre opțiuni.'
/** Keeps the order of the options and removes duplicates. */
const someOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .array(z.enum(values, UNKNOWN_OPTION_MESSAGE), UNKNOWN_OPTION_MESSAGE)
    .transform((chosen) => values.filter((value): value is T[number] => chosen.includes(value)))
const whole = ({ min, max }: { min: number; max: number }) => {
  const message = `Scrie un număr întreg între ${min} și ${max}.`
  return z.number(message).int(message).min(min, message).max(max, message)
}
const matching = (pattern: RegExp, message: string) =>
  z
    .string(message)
    .transform((text) => text.trim())
    .pipe(z.string().regex(pattern, message))

/**
 * Returns the origin of an http(s) address without path, query or credentials; null for anything else. The
 * pattern is needed because a parsed host may contain `*` or `;`.
 */
function readOrigin(text: string): string | null {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:\/\/[a-z0-9.-]+(:[0-9]+)?$/.test(url.origin) || url.origin.length > LIMITS.shortText)
    return null
  return url.href === `${url.origin}/` ? url.origin : null
}
const origin = (message: string) =>
  z.string(message).transform((text, ctx) => {
    if (text.trim() === '') return ''
    const found = readOrigin(text)
    if (found === null) ctx.addIssue({ code: 'custom', message })
    return found ?? z.NEVER
  })

/** Whether an image is stored at this address is checked when the settings are saved. */
const picture = matching(/^(\/site-images\/[\w-]+)?$/, 'Încarcă o imagine.')

const WORDS_MESSAGE = `Scrie pe fiecare rând identificatorul unei categorii, două puncte și cel mult ${CATEGORY_WORDS_MAX} de cuvinte sau expresii.`
/** Categories without words are left out. */
const categoryWords = z
  .array(
    z.object(
      {
        slug: z.string(WORDS_MESSAGE).max(LIMITS.shortText, WORDS_MESSAGE).regex(SLUG_PATTERN, WORDS_MESSAGE),
        words: z
          .array(requiredText('Cuvântul'), WORDS_MESSAGE)
          .max(CATEGORY_WORDS_MAX, WORDS_MESSAGE)
          .transform((words) => [...new Set(words)]),
      },
      WORDS_MESSAGE,
    ),
    WORDS_MESSAGE,
  )
  .max(LIMITS.categories, WORDS_MESSAGE)
  .transform((categories) => categories.filter(({ words }) => words.length > 0))

/** The schema of each setting. `locales` cannot be changed: Romanian is the only language. */
const SETTINGS = {
  url: origin('Scrie adresa fără cale: https://rezultate.exemplu.ro'),
  name: requiredText('Câmpul „Denumire”'),
  email: optionalEmail.transform(orEmpty),
  phone: optionalPhone.transform(orEmpty),
  title: requiredText('Titlul'),
  address: optionalText('Adresa').transform(orEmpty),
  favicon: picture,
  logo: picture,
  branding: onOff,
  features: someOf(FEATURES),
  from_name: requiredText('Numele expeditorului'),
  from_email: optionalEmail.transform(orEmpty),
  url_backend: origin('Scrie adresa fără cale: https://date.exemplu.ro'),
  color_scheme: oneOf(ACCENTS),
  login_provider: oneOf(SIGN_IN_PROVIDERS),
  second_factor_required: someOf(SECOND_FACTOR_GROUPS),
  self_review: onOff,
  undo_seconds: whole(SETTING_BOUNDS.undo_seconds),
  session_refresh_visible: onOff,
  // `true` is the specification's name for every second [4.4].
  session_refresh_ms: z.preprocess(
    (value) => (value === true ? 1_000 : value),
    whole(SETTING_BOUNDS.session_refresh_ms).nullable(),
  ),
  session_idle_hours: whole(SETTING_BOUNDS.session_idle_hours),
  logo_navigation: picture,
  logo_navigation_width: whole(SETTING_BOUNDS.logo_navigation_width),
  search_application_id: matching(
    /^[A-Za-z0-9]{0,30}$/,
    'Identificatorul are cel mult 30 de litere și cifre, fără spații.',
  ),
  search_public_key: matching(/^[\w=+/-]{0,500}$/, 'Cheia nu are spații sau alte semne.'),
  search_lite_client: onOff,
  search_recommendations: onOff,
  search_response_cache: onOff,
  delivery_default: oneOf(DELIVERIES),
  reminder_days: whole(SETTING_BOUNDS.reminder_days),
  share_days: whole(SETTING_BOUNDS.share_days),
  share_days_max: whole(SETTING_BOUNDS.share_days_max),
  share_proofs: someOf(SHARE_PROOFS).refine((proofs) => proofs.length > 0, 'Alege cel puțin o dovadă.'),
  target_filing_hours: whole(SETTING_BOUNDS.target_filing_hours),
  target_release_hours: whole(SETTING_BOUNDS.target_release_hours),
  target_opening_hours: whole(SETTING_BOUNDS.target_opening_hours),
  retention_years: whole(SETTING_BOUNDS.retention_years).nullable(),
  upload_file_mib: whole(SETTING_BOUNDS.upload_file_mib),
  upload_files: whole(SETTING_BOUNDS.upload_files),
  upload_unfinished_hours: whole(SETTING_BOUNDS.upload_unfinished_hours),
  upload_unfinished_per_user: whole(SETTING_BOUNDS.upload_unfinished_per_user),
  upload_active_content: oneOf(ACTIVE_CONTENT_CHOICES),
  category_words: categoryWords,
} satisfies { [Name in Exclude<keyof SiteSettings, 'locales'>]: z.ZodType<SiteSettings[Name]> }

/**
 * Parses changes by setting name. Throws BAD_USER_INPUT with an error for each unknown setting and each
 * invalid value.
 */
export function readSettingsInput(input: unknown): Partial<SiteSettings> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid([{ field: 'changes', message: 'Modificările nu pot fi citite.' }])
  const errors: FieldError[] = []
  const changes = new Map<string, unknown>()
  for (const [field, value] of Object.entries(input)) {
    if (!isSetting(field)) {
      errors.push({ field, message: 'Nu există o astfel de setare sau nu se poate schimba.' })
      continue
    }
    const parsed = SETTINGS[field].safeParse(value)
    if (parsed.success) changes.set(field, parsed.data)
    else errors.push({ field, message: parsed.error.issues[0]?.message ?? 'Valoarea nu este bună.' })
  }
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(changes)
}

const isSetting = (name: string): name is keyof typeof SETTINGS => Object.hasOwn(SETTINGS, name)
