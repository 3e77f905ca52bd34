import type { PublicSite } from '../../shared/site/site-settings.ts'
import { getSite, initialSite } from './site.ts'

const searchHosts = ({ search_application_id, search_public_key }: PublicSite): string =>
  search_public_key ? search_application_id : ''

/**
 * Whether the search service, if there is one, is at hosts that this page may turn to: those of the policy that came with
 * it, by the settings of its own loading.
 */
export const isSearchHostAllowed = (): boolean =>
  [searchHosts(initialSite), ''].includes(searchHosts(getSite()))

/** Whether the settings name other hosts by now than those that this page may turn to. */
export const areHostsOutdated = (): boolean =>
  getSite().url_backend !== initialSite.url_backend || !isSearchHostAllowed()
