import type { PublicSite } from '../../shared/site/site-settings.ts'
import { getSite, initialSite } from './site.ts'

const searchHosts = ({ search_application_id, search_public_key }: PublicSite): string =>
  search_public_key ? search_application_id : ''

/**
 * Whether the page may connect to the hosts of the search service, if there is one. The page's content
 * security policy names the hosts from the settings with which the page was loaded.
 */
export const isSearchHostAllowed = (): boolean =>
  [searchHosts(initialSite), ''].includes(searchHosts(getSite()))

/** Whether the current settings name other hosts than those to which this page may connect. */
export const areHostsOutdated = (): boolean =>
  getSite().url_backend !== initialSite.url_backend || !isSearchHostAllowed()
