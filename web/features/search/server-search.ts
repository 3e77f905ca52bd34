import { client } from '../../api/client.ts'
import type { VariablesOf } from '../../api/graphql.ts'
import { SEARCH } from './search.queries.ts'
import type { SearchIndex, ServerSearch } from './search-client.ts'

type Kind = VariablesOf<typeof SEARCH>['kinds'][number]

const KINDS: Record<SearchIndex, Kind> = {
  patients: 'PATIENT',
  institutions: 'INSTITUTION',
  uploads: 'UPLOAD',
  categories: 'CATEGORY',
  screens: 'SCREEN',
}

/**
 * Searches by the product's own GraphQL query and returns the rows in the format of InstantSearch, at most
 * `first` for each index. Responses are not cached, since the audit log records each display of patients.
 */
export const searchServer: ServerSearch = async (query, indices, first) => {
  const kinds = indices.map((index) => KINDS[index])
  const { data } = await client.query({
    query: SEARCH,
    variables: { query, kinds, first },
    fetchPolicy: 'no-cache',
  })
  const { patients, institutions, uploads, categories, screens, reasons } = data!.search
  const reasonOf = (id: string) => reasons.find(({ rowId }) => rowId === id) ?? null
  return {
    patients: patients.map(({ id, ...patient }) => ({ objectID: id, ...patient, reason: reasonOf(id) })),
    institutions: institutions.map(({ id, ...institution }) => ({ objectID: id, ...institution })),
    uploads: uploads.map(({ id, patient, ...upload }) => ({
      objectID: id,
      ...upload,
      patientName: patient?.name ?? null,
      reason: reasonOf(id),
    })),
    categories: categories.map(({ slug, ...category }) => ({ objectID: slug, ...category })),
    screens: screens.map(({ address, ...screen }) => ({ objectID: address, ...screen })),
  }
}
