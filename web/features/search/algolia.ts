import type { LiteClient, liteClient as openLiteClient, SearchResponse } from 'algoliasearch/lite'
import type { SearchService } from '../../../shared/site/search-service.ts'
import type { Hits, ServiceIndex, ServiceSearch } from './search-client.ts'

type ClientOptions = NonNullable<Parameters<typeof openLiteClient>[2]>
type Recommendations = Pick<LiteClient, 'getRecommendations'>
type Opened = { client: Pick<LiteClient, 'search'>; recommendations: Recommendations | null }

/**
 * Creates the Algolia client for the settings [1.7]; it is loaded at the first search. `options` can name
 * other hosts. Records of the index `institutions` have `name`, `code` and `locality`, with the id as
 * `objectID`; records of `categories` have `name` and `icon`, with the slug.
 */
export function createAlgoliaSearch(service: SearchService, options: ClientOptions = {}): ServiceSearch {
  let opening: Promise<Opened> | null = null
  const open = () => {
    opening ??= openClient(service, options)
    return opening
  }
  return {
    async search(query, indices, first) {
      const { client } = await open()
      const requests = indices.map((indexName) => ({ indexName, query, hitsPerPage: first }))
      const { results } = await client.search<Record<string, unknown>>({ requests })
      const found: Partial<Hits> = {}
      for (const [position, index] of indices.entries()) {
        const records = (results[position] as SearchResponse<Record<string, unknown>>).hits
        if (index === 'institutions') found.institutions = records.map(readInstitution)
        else found.categories = records.map(readCategory)
      }
      return found
    },
    async recommendInstitutions() {
      const { recommendations } = await open()
      const indexName: ServiceIndex = 'institutions'
      const request = { indexName, model: 'trending-items', threshold: 0, maxRecommendations: 5 } as const
      const response = await recommendations?.getRecommendations({ requests: [request] })
      return ((response?.results[0]?.hits ?? []) as Found[]).map(readInstitution)
    },
  }
}

async function openClient(service: SearchService, options: ClientOptions): Promise<Opened> {
  const { applicationId, publicKey } = service
  const all = { responsesCache: createResponsesCache(service.cachesResponses), ...options }
  if (service.isLite) {
    const { liteClient } = await import('algoliasearch/lite')
    return { client: liteClient(applicationId, publicKey, all), recommendations: null }
  }
  const { algoliasearch } = await import('algoliasearch')
  const client = algoliasearch(applicationId, publicKey, all)
  return { client, recommendations: service.recommends ? client.initRecommend({ options: all }) : null }
}

/**
 * Returns a cache that keeps responses until the page is reloaded, or a cache that keeps nothing. The
 * library's own default differs between its builds.
 */
function createResponsesCache(isEnabled: boolean): NonNullable<ClientOptions['responsesCache']> {
  const cache = new Map<string, unknown>()
  return {
    get: async (key, fetchValue, events) => {
      const name = JSON.stringify(key)
      if (cache.has(name)) return cache.get(name) as never
      const value = await fetchValue()
      await events?.miss(value)
      return value
    },
    set: async (key, value) => {
      if (isEnabled) cache.set(JSON.stringify(key), value)
      return value
    },
    delete: async (key) => void cache.delete(JSON.stringify(key)),
    clear: async () => cache.clear(),
  }
}

type Found = { objectID: string } & Record<string, unknown>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const readInstitution = ({ objectID, name, code, locality }: Found): Hits['institutions'][number] => ({
  objectID,
  name: text(name) ?? objectID,
  code: text(code),
  locality: text(locality),
})

const readCategory = ({ objectID, name, icon }: Found): Hits['categories'][number] => ({
  objectID,
  name: text(name) ?? objectID,
  icon: text(icon),
})
