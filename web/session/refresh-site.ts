import type { PublicSite } from '../../shared/site/site-settings.ts'
import { connectedFetch } from './connection.ts'
import { getSite, setSite } from './site.ts'

/** Reloads the settings; changes are shown at once. Changes nothing if the server cannot be reached. */
export async function refreshSite(): Promise<void> {
  const response = await connectedFetch('/api/site').catch(() => null)
  if (!response?.ok) return
  const next: PublicSite = await response.json()
  if (JSON.stringify(next) === JSON.stringify(getSite())) return
  updateHead(next)
  setSite(next)
}

/**
 * Applies the settings outside the application: accent, title [2.17], icon. The server renders their first
 * values.
 */
function updateHead({ color_scheme, title, favicon }: PublicSite): void {
  document.documentElement.dataset.accent = color_scheme
  document.title = title
  for (const meta of document.querySelectorAll('meta[property="og:title"], meta[name="description"]'))
    meta.setAttribute('content', title)
  for (const icon of document.querySelectorAll('link[rel="icon"], link[rel="apple-touch-icon"]'))
    icon.remove()
  const icon = document.createElement('link')
  icon.rel = 'icon'
  icon.href = favicon || '/favicon.svg'
  document.head.append(icon)
}
