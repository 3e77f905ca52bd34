import type { LiteClient, liteClient as openLiteClient, SearchResponse } from 'algoliasearch/lite'
import type { SearchService } from '../../../shared/site/search-service.ts'
import type { Hits, ServiceIndex, ServiceSearch } from './search-client.ts'

type ClientOptions = NonNullable<Parameters<typeof openLiteClient>[2]>
type Recommendations = Pick<LiteClient, 'getRecommendations'>
type Opened = { client: Pick<LiteClient, 'search'>; recommendations: Recommendations | null }

/**
 * Algolia's client as the settings want it [1.7], loaded when it is first asked. `options` name other hosts than the
 * application's. The records of the index `institutions` have `name`, `code` and `locality`, with the id as `objectID`;
 * those of `categories` `name` and `icon`, with the slug.
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
      for (const [place, index] of indices.entries()) {
        const records = (results[place] as SearchResponse<Record<string, unknown>>).hits
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

/** Answers kept for as long as the page stands, or none. The library's own default is another one in each of its builds. */
function createResponsesCache(keeps: boolean): NonNullable<ClientOptions['responsesCache']> {
  const kept = new Map<string, unknown>()
  return {
    get: async (key, ask, events) => {
      const name = JSON.stringify(key)
      if (kept.has(name)) return kept.get(name) as never
      const value = await ask()
      await events?.miss(value)
      return value
    },
    set: async (key, value) => {
      if (keeps) kept.set(JSON.stringify(key), value)
      return value
    },
    delete: async (key) => void kept.delete(JSON.stringify(key)),
    clear: async () => kept.clear(),
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
