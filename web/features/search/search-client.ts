import type { SearchReasonKind } from '../../../shared/search-reasons.ts'

/** The results of each index; `objectID` is the id of the row, a category's slug or a screen's address. */
export type Hits = {
  patients: Hit<{
    number: number
    name: string
    cnpMasked: string | null
    birthDate: string | null
    reason?: Reason | null
  }>
  institutions: Hit<{ name: string; code: string | null; locality: string | null }>
  uploads: Hit<{
    number: number
    title: string
    state: string
    createdAt: string
    releasedAt: string | null
    patientName: string | null
    reason?: Reason | null
  }>
  categories: Hit<{ name: string; icon: string | null }>
  screens: Hit<{ title: string }>
}
/** Why a search has found it; null if the row says it. */
type Reason = { kind: SearchReasonKind; text: string }
type Hit<Fields> = ({ objectID: string } & Fields)[]
export type SearchIndex = keyof Hits

/** One query, in the format of InstantSearch: the text is beside the index, or in `params`. */
export type SearchRequest = {
  indexName: SearchIndex
  query?: string
  params?: { query?: string; hitsPerPage?: number }
}

/** `nbHits` is the number of returned hits; further matches are not counted. */
export type SearchResult = {
  [Index in SearchIndex]: {
    index: Index
    hits: Hits[Index]
    query: string
    params: string
    nbHits: number
    page: number
    nbPages: number
    hitsPerPage: number
    processingTimeMS: number
  }
}[SearchIndex]

export type SearchClient = {
  /** Returns the results in the order of the requests. Rejects if the product does not respond. */
  search(requests: readonly SearchRequest[]): Promise<{ results: SearchResult[] }>
  /** Returns institutions that other users search for; empty without a service. */
  recommendInstitutions(): Promise<Hits['institutions']>
}

/** The product's own search: one GraphQL request for a text, with any number of indices. */
export type ServerSearch = (
  query: string,
  indices: readonly SearchIndex[],
  first: number,
) => Promise<Partial<Hits>>

/** The indices that an external service may search: they contain no personal data. */
export const SERVICE_INDICES = ['institutions', 'categories'] as const
export type ServiceIndex = (typeof SERVICE_INDICES)[number]
/** An external search service. */
export type ServiceSearch = {
  search(query: string, indices: readonly ServiceIndex[], first: number): Promise<Partial<Hits>>
  recommendInstitutions(): Promise<Hits['institutions']>
}

const HITS_PER_PAGE = 5
/** Matches a part of a CNP or of a phone number in any notation. */
const PERSONAL_NUMBER = /(\d[\s.()/-]*){6}/

/**
 * Creates the search client [1.7] in the format of InstantSearch. An external service, if configured,
 * searches institutions and categories, unless it fails or the text may be personal. A text with six digits,
 * or with a word that begins like a word of an earlier search for patients or uploads (or the reverse), is
 * never sent to the service.
 */
export function createSearchClient(own: ServerSearch, service: ServiceSearch | null): SearchClient {
  const personal = new Set<string>()

  function isShareable(text: string): boolean {
    if (text === '' || PERSONAL_NUMBER.test(text)) return false
    // Word by word, since the parts of a name can have any order.
    const words = text.toLowerCase().split(/\s+/)
    const isSimilar = (word: string, other: string) => word.startsWith(other) || other.startsWith(word)
    return ![...personal].some((known) =>
      known.split(/\s+/).some((word) => words.some((own) => isSimilar(own, word))),
    )
  }

  async function findHits(
    query: string,
    indices: readonly SearchIndex[],
    first: number,
  ): Promise<Partial<Hits>> {
    const external = SERVICE_INDICES.filter((index) => indices.includes(index))
    if (service === null || external.length === 0 || !isShareable(query)) return own(query, indices, first)
    const internal = indices.filter((index) => !(external as readonly SearchIndex[]).includes(index))
    const [externalHits, ownHits] = await Promise.all([
      service.search(query, external, first).catch(() => own(query, external, first)),
      internal.length > 0 ? own(query, internal, first) : {},
    ])
    return { ...externalHits, ...ownHits }
  }

  return {
    async search(requests) {
      const started = performance.now()
      const requested = requests.map(readRequest)
      for (const { index, query } of requested) {
        if ((index === 'patients' || index === 'uploads') && query !== '') personal.add(query.toLowerCase())
      }
      const texts = [...Map.groupBy(requested, ({ query }) => query)]
      const found = new Map(
        await Promise.all(
          texts.map(async ([query, of]) => {
            const first = Math.max(...of.map(({ hitsPerPage }) => hitsPerPage))
            const indices = [...new Set(of.map(({ index }) => index))]
            return [query, await findHits(query, indices, first)] as const
          }),
        ),
      )
      const processingTimeMS = Math.round(performance.now() - started)
      return {
        results: requested.map(({ index, query, hitsPerPage }) => {
          const hits = (found.get(query)?.[index] ?? []).slice(0, hitsPerPage)
          return {
            index,
            hits,
            query,
            params: new URLSearchParams({ query, hitsPerPage: String(hitsPerPage) }).toString(),
            nbHits: hits.length,
            page: 0,
            nbPages: hits.length > 0 ? 1 : 0,
            hitsPerPage,
            processingTimeMS,
          } as SearchResult
        }),
      }
    },
    recommendInstitutions: async () => (await service?.recommendInstitutions().catch(() => [])) ?? [],
  }
}

const readRequest = ({ indexName, query, params }: SearchRequest) => ({
  index: indexName,
  query: (query ?? params?.query ?? '').trim(),
  hitsPerPage: params?.hitsPerPage ?? HITS_PER_PAGE,
})
