import type { PublicSite } from '../../shared/site-settings.ts'

/** What the page carries of the site: there before anything is asked of the server. Nothing where there is no page. */
const carried: PublicSite = JSON.parse(globalThis.document?.getElementById('site')?.textContent ?? '{}')

let site = carried
const listeners = new Set<() => void>()

/** The site's public settings as they are by now. */
export const getSite = (): PublicSite => site

export function subscribeSite(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reads the settings anew: what has changed is on the page at once. That the server is away changes nothing. */
export async function refreshSite(): Promise<void> {
  const response = await fetch('/api/site').catch(() => null)
  if (!response?.ok) return
  const next: PublicSite = await response.json()
  if (JSON.stringify(next) === JSON.stringify(site)) return
  site = next
  showHead(next)
  for (const listener of listeners) listener()
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

/**
 * The hosts that this page may turn to are of its policy, which came with it: the settings of its own loading, whatever
 * has been saved since.
 */
export const ownBackend = (): string => carried.url_backend ?? ''

/** Whether the settings name other hosts by now than those that this page may turn to. */
export const namesOtherHosts = (): boolean =>
  site.url_backend !== carried.url_backend || !searchesAtOwnHosts()

/** Whether the search service, if there is one, is at hosts that this page may turn to. */
export const searchesAtOwnHosts = (): boolean => {
  const hosts = ({ search_application_id, search_public_key }: PublicSite) =>
    search_public_key ? search_application_id : ''
  return [hosts(carried), ''].includes(hosts(site))
}
