import type { PublicSite } from '../../shared/site-settings.ts'

/** What the page carries of the site: there before anything is asked of the server. Nothing where there is no page. */
export const site: PublicSite = JSON.parse(globalThis.document?.getElementById('site')?.textContent ?? '{}')
