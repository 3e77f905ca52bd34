/** What is found in each index; `objectID` is the id of the row, a category's slug or a screen's address. */
export type Hits = {
  patients: Hit<{ number: number; name: string; cnpMasked: string | null; birthDate: string | null }>
  institutions: Hit<{ name: string; code: string | null; locality: string | null }>
  uploads: Hit<{
    number: number
    title: string
    state: string
    createdAt: string
    releasedAt: string | null
    patientName: string | null
  }>
  categories: Hit<{ name: string; icon: string | null }>
  screens: Hit<{ title: string }>
}
type Hit<Fields> = ({ objectID: string } & Fields)[]
export type SearchIndex = keyof Hits

/** One question, in the shape of InstantSearch: the text stands beside the index, or in `params`. */
export type SearchRequest = {
  indexName: SearchIndex
  query?: string
  params?: { query?: string; hitsPerPage?: number }
}

/** `nbHits` is the number of hits that are here: how many there are beyond them, nobody counts. */
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
  /** Answers in the order of the requests. Rejects where the product does not answer. */
  search(requests: readonly SearchRequest[]): Promise<{ results: SearchResult[] }>
  /** Institutions that others look for; none where no service recommends them. */
  recommendInstitutions(): Promise<Hits['institutions']>
}

/** The product's own search: one GraphQL request for a text, whatever the indices. */
export type ServerSearch = (
  query: string,
  indices: readonly SearchIndex[],
  first: number,
) => Promise<Partial<Hits>>

/** What may leave the product: nobody is named there. */
export const SERVICE_INDICES = ['institutions', 'categories'] as const
export type ServiceIndex = (typeof SERVICE_INDICES)[number]
/** A search service outside the product. */
export type ServiceSearch = {
  search(query: string, indices: readonly ServiceIndex[], first: number): Promise<Partial<Hits>>
  recommendInstitutions(): Promise<Hits['institutions']>
}

const HITS_PER_PAGE = 5
/** Part of a CNP or of a phone number, however it is written. */
const PERSONAL_NUMBER = /(\d[\s.()/-]*){6}/

/**
 * The search client [1.7] in InstantSearch's shape. The product answers everything, but where a service is set it answers
 * institutions and categories, unless the text may speak of a patient: it holds so many digits, or it begins or goes
 * on with what patients or uploads have been searched for. Such a text never leaves the product; nor does any while the
 * service does not answer.
 */
export function createSearchClient(own: ServerSearch, service: ServiceSearch | null): SearchClient {
  const personal = new Set<string>()

  function mayLeave(text: string): boolean {
    if (text === '' || PERSONAL_NUMBER.test(text)) return false
    // Word by word, since a name is written either way round.
    const words = text.toLowerCase().split(/\s+/)
    const isAkin = (word: string, other: string) => word.startsWith(other) || other.startsWith(word)
    return ![...personal].some((known) =>
      known.split(/\s+/).some((word) => words.some((own) => isAkin(own, word))),
    )
  }

  async function response(
    query: string,
    indices: readonly SearchIndex[],
    first: number,
  ): Promise<Partial<Hits>> {
    const outside = SERVICE_INDICES.filter((index) => indices.includes(index))
    if (service === null || outside.length === 0 || !mayLeave(query)) return own(query, indices, first)
    const inside = indices.filter((index) => !(outside as readonly SearchIndex[]).includes(index))
    const [theirs, ours] = await Promise.all([
      service.search(query, outside, first).catch(() => own(query, outside, first)),
      inside.length > 0 ? own(query, inside, first) : {},
    ])
    return { ...theirs, ...ours }
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
            return [query, await response(query, indices, first)] as const
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
