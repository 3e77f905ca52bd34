import type { PublicSite } from '../../shared/site/site-settings.ts'

/** The settings inside the page, available without a request; empty outside a browser. */
export const initialSite: PublicSite = JSON.parse(
  globalThis.document?.getElementById('site')?.textContent ?? '{}',
)

let site = initialSite
const listeners = new Set<() => void>()

/** Returns the current public settings of the site. */
export const getSite = (): PublicSite => site

export function setSite(next: PublicSite): void {
  site = next
  for (const listener of listeners) listener()
}

export function subscribeSite(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
