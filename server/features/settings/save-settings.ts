import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { SITE_IMAGES } from '../../../shared/site/setting-bounds.ts'
import { NO_PROVIDER_MESSAGE } from '../../../shared/site/sign-in-providers.ts'
import {
  ACCESS_SETTINGS,
  LESS_CHECKED,
  type SiteSettings,
  siteSettings,
} from '../../../shared/site/site-settings.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, UserError } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { publish } from '../../platform/events.ts'
import { findOwnSecurity } from '../accounts/own-account/find-own-security.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findLastSave, findSite } from '../site/find-site.ts'
import { canEditSettings } from '../site/site.access.ts'
import { isSiteImageStored, lockSettings, storeSettings } from '../site/store-settings.ts'
import { probeGraphqlEndpoint } from './probe-graphql-endpoint.ts'
import { readSettingsInput } from './settings-input.ts'

export type SavedSettings = { before: SiteSettings; after: SiteSettings; changed: (keyof SiteSettings)[] }

/**
 * Saves the given settings, for administrators; the others stay unchanged. Throws CONFLICT if `version` is
 * outdated, BAD_USER_INPUT for invalid values, and FRESH_PROOF_REQUIRED for a change of
 * ACCESS_SETTINGS, or one that checks less, without one. A save that changes nothing leaves no audit entry.
 */
export async function saveSettings(
  ctx: UserCtx,
  { version, changes: input }: { version: number; changes: unknown },
): Promise<SavedSettings> {
  if (!canEditSettings(ctx.actor)) throw forbidden('save settings')
  const changes = readSettingsInput(input)
  // Checked before the settings are locked, because it may take seconds.
  if (changes.url_backend) await requireBackend(ctx, changes.url_backend)
  return inTransaction(ctx, async (tx) => {
    if ((await lockSettings(tx)) !== version) throw await settingsOutdated(tx)
    const before = await findSite(tx.db)
    const after = { ...before, ...changes }
    const differences = listChanges(before, after, Object.keys(changes) as (keyof SiteSettings)[])
    const changed = Object.keys(differences) as (keyof SiteSettings)[]
    await validateSettings(tx, after, new Set(changed))
    if (opensAccess(after, changed)) requireFreshProof(tx)
    if (changed.length === 0) return { before, after, changed }
    const replacedImages = SITE_IMAGES.filter((kind) => changed.includes(kind) && before[kind] !== '')
    await storeSettings(
      tx,
      Object.fromEntries(changed.map((name) => [name, after[name]])),
      replacedImages.map((kind) => before[kind]),
    )
    await recordAudit(tx, { action: 'site.save', changes: differences })
    await publish(tx.db, { kind: 'site' })
    return { before, after, changed }
  })
}

const opensAccess = (after: SiteSettings, changed: readonly (keyof SiteSettings)[]): boolean =>
  ACCESS_SETTINGS.some((name) => changed.includes(name)) ||
  Object.entries(LESS_CHECKED).some(
    ([name, value]) =>
      changed.includes(name as keyof SiteSettings) && after[name as keyof SiteSettings] === value,
  )

/**
 * Throws BAD_USER_INPUT unless the host is permitted by the configuration and responds as a GraphQL server:
 * every browser will send its tokens there and has no other way to reach the data.
 */
async function requireBackend({ services }: UserCtx, origin: string): Promise<void> {
  const backendError = (message: string) => invalid([{ field: 'url_backend', message }])
  if (!services.config.backendHosts.includes(origin))
    throw backendError('Configurația serverului (BACKEND_HOSTS) nu permite această adresă.')
  if (!(await probeGraphqlEndpoint(origin)))
    throw backendError(`La adresa ${origin}/graphql nu răspunde niciun serviciu GraphQL.`)
}

/**
 * Throws BAD_USER_INPUT if a value cannot be read back, a new image is not stored, or the settings contradict
 * each other, the server's configuration or the actor's account.
 */
async function validateSettings(
  tx: UserCtx,
  site: SiteSettings,
  changed: ReadonlySet<keyof SiteSettings>,
): Promise<void> {
  const errors = new Map<PropertyKey, string>()
  // A value that cannot be read back is not written.
  for (const { path } of siteSettings.safeParse(site).error?.issues ?? [])
    errors.set(path[0] ?? '', 'Valoarea este prea lungă sau nu este potrivită.')
  if (changed.has('url') && site.url.startsWith('http:') && tx.services.config.url.startsWith('https:'))
    errors.set('url', 'Scrie adresa cu https://, ca în configurația serverului.')
  if (site.share_days > site.share_days_max) {
    errors.set(
      changed.has('share_days') ? 'share_days' : 'share_days_max',
      `Valabilitatea obișnuită (${site.share_days}) nu poate trece de cea maximă (${site.share_days_max}).`,
    )
  }
  if (site.search_application_id !== '' && site.search_public_key === '')
    errors.set('search_public_key', 'Cheia publică este necesară lângă identificatorul aplicației.')
  if (changed.has('login_provider') && site.login_provider === 'oidc' && tx.services.config.oidc === null)
    errors.set('login_provider', NO_PROVIDER_MESSAGE)
  if (
    changed.has('second_factor_required') &&
    site.second_factor_required.includes('admin') &&
    !(await findOwnSecurity(tx)).hasSecondFactor
  ) {
    errors.set(
      'second_factor_required',
      'Activează-ți întâi tu al doilea factor, din „Setările contului”: altfel ai fi deconectat acum.',
    )
  }
  for (const kind of SITE_IMAGES) {
    if (changed.has(kind) && site[kind] !== '' && !(await isSiteImageStored(tx, site[kind], kind)))
      errors.set(kind, 'Imaginea nu mai este pe server. Încarc-o din nou.')
  }
  if (errors.size > 0)
    throw invalid([...errors].map(([field, message]) => ({ field: String(field), message })))
}

async function settingsOutdated({ db }: UserCtx): Promise<UserError> {
  const { saved_at, name } = await findLastSave(db)
  const cause = saved_at
    ? `Între timp, ${name} a salvat setările (${formatDateTime(saved_at.toISOString())}).`
    : 'Setările s-au schimbat între timp.'
  const message = `${cause} Reîncarcă-le, apoi aplică din nou modificarea.`
  return new UserError('CONFLICT', 'stale version: settings', message, {
    fields: [{ field: 'version', message }],
  })
}
