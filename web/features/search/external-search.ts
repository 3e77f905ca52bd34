import { findSearchService } from '../../../shared/site/search-service.ts'
import { getSite } from '../../session/site.ts'
import { isSearchHostAllowed } from '../../session/site-hosts.ts'
import { createAlgoliaSearch } from './algolia.ts'
import type { ServiceSearch } from './search-client.ts'

let cachedSearch: { settings: string; search: ServiceSearch } | null = null

/**
 * Returns the search service of the current settings [1.7], the same instance until they change. Null if
 * there is none, or if this page may not connect to its hosts before a reload: then the product's own search
 * is used.
 */
export function findExternalSearch(): ServiceSearch | null {
  const service = isSearchHostAllowed() ? findSearchService(getSite()) : null
  if (!service) return null
  const settings = JSON.stringify(service)
  if (cachedSearch?.settings !== settings) cachedSearch = { settings, search: createAlgoliaSearch(service) }
  return cachedSearch.search
}
