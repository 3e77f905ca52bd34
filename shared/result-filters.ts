/** The periods in days, and the states of opening, by which the results of an institution are filtered in the address. */
export const RESULT_DAYS = [7, 30, 90] as const
export const OPENING_FILTERS = ['nedeschise', 'deschise'] as const
export type ResultFilters = {
  days?: (typeof RESULT_DAYS)[number]
  opening?: (typeof OPENING_FILTERS)[number]
}
