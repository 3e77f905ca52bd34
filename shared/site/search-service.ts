import type { SiteSettings } from './site-settings.ts'

/** A search service of Algolia's kind, as the site's settings name it [1.7]. */
export type SearchService = {
  applicationId: string
  /** Of a key that may only search; every browser gets it. */
  publicKey: string
  isLite: boolean
  recommends: boolean
  cachesResponses: boolean
}

/** What the site searches institutions and categories with; null: with the product's own search alone. */
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

/** The hosts that the service's client turns to: the nearest, the main one, and three to fall back on. */
export const searchServiceOrigins = ({ applicationId }: SearchService): string[] => [
  `https://${applicationId}-dsn.algolia.net`,
  `https://${applicationId}.algolia.net`,
  ...[1, 2, 3].map((number) => `https://${applicationId}-${number}.algolianet.com`),
]
