import type { PublicSite } from '../../shared/site/site-settings.ts'

/** What the page carries of the site: there before anything is asked of the server. Nothing where there is no page. */
export const initialSite: PublicSite = JSON.parse(
  globalThis.document?.getElementById('site')?.textContent ?? '{}',
)

let site = initialSite
const listeners = new Set<() => void>()

/** The site's public settings as they are by now. */
export const getSite = (): PublicSite => site

export function setSite(next: PublicSite): void {
  site = next
  for (const listener of listeners) listener()
}

export function subscribeSite(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
