import type { SiteSettings } from './site-settings.ts'

/** A search service compatible with Algolia, from the site's settings [1.7]. */
export type SearchService = {
  applicationId: string
  /** A key that permits only searching, since every browser gets it. */
  publicKey: string
  isLite: boolean
  recommends: boolean
  cachesResponses: boolean
}

/**
 * Returns the service that searches institutions and categories; null if only the product's own search is
 * used.
 */
export function findSearchService(
  site: Pick<
    SiteSettings,
    | 'search_application_id'
    | 'search_public_key'
    | 'search_lite_client'
    | 'search_recommendations'
    | 'search_response_cache'
  >,
): SearchService | null {
  if (site.search_application_id === '' || site.search_public_key === '') return null
  return {
    applicationId: site.search_application_id,
    publicKey: site.search_public_key,
    isLite: site.search_lite_client,
    recommends: site.search_recommendations,
    cachesResponses: site.search_response_cache,
  }
}

/**
 * Returns the origins that the service's client connects to, for the content security policy: the nearest,
 * the main one, and three fallbacks.
 */
export const searchServiceOrigins = ({ applicationId }: SearchService): string[] => [
  `https://${applicationId}-dsn.algolia.net`,
  `https://${applicationId}.algolia.net`,
  ...[1, 2, 3].map((number) => `https://${applicationId}-${number}.algolianet.com`),
]
