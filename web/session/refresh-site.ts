import type { PublicSite } from '../../shared/site/site-settings.ts'
import { getSite, setSite } from './site.ts'

/** Reads the settings anew: what has changed is on the page at once. That the server is away changes nothing. */
export async function refreshSite(): Promise<void> {
  const response = await fetch('/api/site').catch(() => null)
  if (!response?.ok) return
  const next: PublicSite = await response.json()
  if (JSON.stringify(next) === JSON.stringify(getSite())) return
  showHead(next)
  setSite(next)
}

/** What of the settings stands outside the application: accent, title [2.17], icon. The server fills them in at first. */
function showHead({ color_scheme, title, favicon }: PublicSite): void {
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
