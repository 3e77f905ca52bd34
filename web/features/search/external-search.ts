import { findSearchService } from '../../../shared/site/search-service.ts'
import { getSite } from '../../session/site.ts'
import { isSearchHostAllowed } from '../../session/site-hosts.ts'
import { createAlgoliaSearch } from './algolia.ts'
import type { ServiceSearch } from './search-client.ts'

let cachedSearch: { settings: string; search: ServiceSearch } | null = null

/**
 * The search service of the settings as they are by now [1.7], the same one for as long as they are. Null where there is
 * none, or it is at hosts that this page may not turn to before it is loaded anew: the product's own search answers.
 */
export function findExternalSearch(): ServiceSearch | null {
  const service = isSearchHostAllowed() ? findSearchService(getSite()) : null
  if (!service) return null
  const settings = JSON.stringify(service)
  if (cachedSearch?.settings !== settings) cachedSearch = { settings, search: createAlgoliaSearch(service) }
  return cachedSearch.search
}
