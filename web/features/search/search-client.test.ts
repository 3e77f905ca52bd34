import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SearchResponse } from 'algoliasearch/lite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SearchService } from '../../../shared/site/search-service.ts'
import { createAlgoliaSearch } from './algolia.ts'
import { createSearchClient, type Hits, type SearchIndex, type ServerSearch } from './search-client.ts'

const SERVICE: SearchService = {
  applicationId: 'ABC123',
  publicKey: 'cheie-publica',
  isLite: true,
  recommends: false,
  cachesResponses: true,
}

type Received = { path: string; headers: Record<string, unknown>; requests: Record<string, unknown>[] }

/** Starts a server in place of Algolia: returns one record for every index, and records the requests. */
async function startService(status = 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { requests } = JSON.parse(await text(request)) as Pick<Received, 'requests'>
    received.push({ path: request.url!.split('?')[0]!, headers: request.headers, requests })
    const results = requests.map(({ indexName }) => ({
      index: indexName,
      hits: [{ objectID: `${indexName}-1`, name: 'Din serviciu', code: 'COD', locality: '', icon: 'heart' }],
    }))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const hosts = [{ url: '127.0.0.1', port, accept: 'readWrite', protocol: 'http' } as const]
  return {
    received,
    open: (over: Partial<SearchService> = {}) => createAlgoliaSearch({ ...SERVICE, ...over }, { hosts }),
  }
}

const INSTITUTION = { objectID: 'i1', name: 'Din produs', code: null, locality: null }
const PATIENT = { objectID: 'p1', number: 1, name: 'Popescu Ana', cnpMasked: null, birthDate: null }

/**
 * Returns a product search with one institution and one patient for every text, and its recorded requests.
 */
function createOwn() {
  const requested: { query: string; indices: readonly SearchIndex[]; first: number }[] = []
  const own: ServerSearch = async (query, indices, first) => {
    requested.push({ query, indices, first })
    const all: Partial<Hits> = { patients: [PATIENT], institutions: [INSTITUTION], screens: [] }
    return Object.fromEntries(indices.map((index) => [index, all[index] ?? []]))
  }
  return { requested, own }
}

const names = (results: { index: string; hits: unknown[] }[]) =>
  results.map(({ index, hits }) => [index, ...(hits as { name: string }[]).map(({ name }) => name)])

describe('the search client without an application id [1.7]', () => {
  it('returns results in the format of InstantSearch, in the order of the requests, with one request', async () => {
    const { requested, own } = createOwn()
    const { results } = await createSearchClient(own, null).search([
      { indexName: 'institutions', query: 'pop' },
      { indexName: 'patients', params: { query: ' pop ', hitsPerPage: 3 } },
      { indexName: 'uploads', query: 'pop' },
    ])
    expect(requested).toEqual([{ query: 'pop', indices: ['institutions', 'patients', 'uploads'], first: 5 }])
    expect(results).toEqual([
      {
        index: 'institutions',
        hits: [INSTITUTION],
        query: 'pop',
        params: 'query=pop&hitsPerPage=5',
        nbHits: 1,
        page: 0,
        nbPages: 1,
        hitsPerPage: 5,
        processingTimeMS: expect.any(Number),
      },
      expect.objectContaining({ index: 'patients', hits: [PATIENT], query: 'pop', hitsPerPage: 3 }),
      expect.objectContaining({ index: 'uploads', hits: [], nbHits: 0, nbPages: 0 }),
    ])
    for (const result of results) result satisfies SearchResponse<object>
  })

  it('sends one request for each text', async () => {
    const { requested, own } = createOwn()
    const { results } = await createSearchClient(own, null).search([
      { indexName: 'institutions', query: 'cluj' },
      { indexName: 'patients', query: 'pop' },
      { indexName: 'screens', query: 'cluj' },
    ])
    expect(requested).toEqual([
      { query: 'cluj', indices: ['institutions', 'screens'], first: 5 },
      { query: 'pop', indices: ['patients'], first: 5 },
    ])
    expect(results.map(({ index, query }) => [index, query])).toEqual([
      ['institutions', 'cluj'],
      ['patients', 'pop'],
      ['screens', 'cluj'],
    ])
  })

  it('rejects if the product does not respond', async () => {
    const client = createSearchClient(() => Promise.reject(new Error('away')), null)
    await expect(client.search([{ indexName: 'patients', query: 'pop' }])).rejects.toThrow('away')
  })

  it('recommends no institutions', async () => {
    expect(await createSearchClient(createOwn().own, null).recommendInstitutions()).toEqual([])
  })
})

describe('the search client with an application id [1.7]', () => {
  it.each([true, false])(
    'queries the service for institutions and categories (lite client: %s)',
    async (isLite) => {
      const service = await startService()
      const { requested, own } = createOwn()
      const { results } = await createSearchClient(own, service.open({ isLite })).search([
        { indexName: 'institutions', query: 'cluj', params: { hitsPerPage: 7 } },
        { indexName: 'categories', query: 'cluj' },
        { indexName: 'screens', query: 'cluj' },
      ])
      expect(requested).toEqual([{ query: 'cluj', indices: ['screens'], first: 7 }])
      expect(service.received).toHaveLength(1)
      expect(service.received[0]).toMatchObject({
        path: '/1/indexes/*/queries',
        requests: [
          { indexName: 'institutions', query: 'cluj', hitsPerPage: 7 },
          { indexName: 'categories', query: 'cluj', hitsPerPage: 7 },
        ],
      })
      expect(JSON.stringify(service.received[0]?.headers)).toContain('cheie-publica')
      expect(results.map(({ hits }) => hits)).toEqual([
        [{ objectID: 'institutions-1', name: 'Din serviciu', code: 'COD', locality: null }],
        [{ objectID: 'categories-1', name: 'Din serviciu', icon: 'heart' }],
        [],
      ])
    },
  )

  it('never sends the service a text for which patients or uploads were searched', async () => {
    const service = await startService()
    const { own } = createOwn()
    const client = createSearchClient(own, service.open())
    const { results } = await client.search([
      { indexName: 'patients', query: 'Popescu' },
      { indexName: 'institutions', query: 'Popescu' },
      { indexName: 'uploads', query: 'Ionescu' },
      { indexName: 'categories', query: ' ionescu' },
    ])
    expect(names(results).slice(0, 2)).toEqual([
      ['patients', 'Popescu Ana'],
      ['institutions', 'Din produs'],
    ])
    // A later search for institutions with a similar text may still contain the name.
    for (const query of ['Popescu', 'popescu', 'Popescu Ana', 'Pop', 'IONESCU M']) {
      expect(names((await client.search([{ indexName: 'institutions', query }])).results)).toEqual([
        ['institutions', 'Din produs'],
      ])
    }
    expect(service.received).toEqual([])
  })

  it('never sends the service a part of a CNP or of a phone number, nor an empty text', async () => {
    const service = await startService()
    const client = createSearchClient(createOwn().own, service.open())
    for (const query of [
      '1630615123457',
      '163061',
      '0722 123 456',
      'clinica 0722-12-34',
      '16 30 61',
      '',
      ' ',
    ]) {
      await client.search([{ indexName: 'institutions', query }])
    }
    expect(service.received).toEqual([])
  })

  it('sends the service only the institution of a search that also names a patient', async () => {
    const service = await startService()
    const { requested, own } = createOwn()
    await createSearchClient(own, service.open()).search([
      { indexName: 'patients', query: 'Popescu' },
      { indexName: 'institutions', query: 'cluj' },
    ])
    expect(requested).toEqual([{ query: 'Popescu', indices: ['patients'], first: 5 }])
    expect(service.received.map(({ requests }) => requests)).toEqual([
      [{ indexName: 'institutions', query: 'cluj', hitsPerPage: 5 }],
    ])
  })

  it.each([
    [true, 1],
    [false, 2],
  ])('caches responses: %s, so the same search twice sends %i requests', async (cachesResponses, times) => {
    const service = await startService()
    const client = createSearchClient(createOwn().own, service.open({ cachesResponses }))
    for (let each = 0; each < 2; each += 1) {
      const { results } = await client.search([{ indexName: 'institutions', query: 'cluj' }])
      expect(names(results)).toEqual([['institutions', 'Din serviciu']])
    }
    expect(service.received).toHaveLength(times)
  })

  it('uses the product search while the service does not respond', async () => {
    const service = await startService(403)
    const client = createSearchClient(createOwn().own, service.open())
    const { results } = await client.search([{ indexName: 'institutions', query: 'cluj' }])
    expect(names(results)).toEqual([['institutions', 'Din produs']])
    expect(await client.recommendInstitutions()).toEqual([])
  })

  it.each([
    [{ isLite: false, recommends: true }, ['Din serviciu']],
    [{ isLite: false, recommends: false }, []],
    [{ isLite: true, recommends: true }, []],
  ])('recommends with the full client only: %j', async (over, expected) => {
    const service = await startService()
    const client = createSearchClient(createOwn().own, service.open(over))
    expect((await client.recommendInstitutions()).map(({ name }) => name)).toEqual(expected)
    expect(service.received.map(({ path }) => path)).toEqual(
      expected.length > 0 ? ['/1/indexes/*/recommendations'] : [],
    )
  })
})
