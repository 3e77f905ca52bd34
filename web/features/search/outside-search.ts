import { findSearchService } from '../../../shared/search-service.ts'
import { getSite } from '../../session/site.ts'
import { searchesAtOwnHosts } from '../../session/site-hosts.ts'
import { createAlgoliaSearch } from './algolia.ts'
import type { ServiceSearch } from './search-client.ts'

let kept: { settings: string; search: ServiceSearch } | null = null

/**
 * The search service of the settings as they are by now [1.7], the same one for as long as they are. Null where there is
 * none, or it is at hosts that this page may not turn to before it is loaded anew: the product's own search answers.
 */
export function findOutsideSearch(): ServiceSearch | null {
  const service = searchesAtOwnHosts() ? findSearchService(getSite()) : null
  if (!service) return null
  const settings = JSON.stringify(service)
  if (kept?.settings !== settings) kept = { settings, search: createAlgoliaSearch(service) }
  return kept.search
}
