import type { PublicSite } from '../../shared/site-settings.ts'

/** What the page carries of the site: there before anything is asked of the server. */
export const site: PublicSite = JSON.parse(document.getElementById('site')?.textContent ?? '{}')
