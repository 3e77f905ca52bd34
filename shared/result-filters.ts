/** The periods in days, and the states of opening, by which the results of an institution are filtered in the address. */
export const RESULT_DAYS = [7, 30, 90] as const
export const OPENING_FILTERS = ['nedeschise', 'deschise'] as const
/** How many days ago results were released at least that nobody has opened; 0: at any time. */
export const OLDER_THAN_DAYS = [0, 1, 3, 7, 14, 30] as const
export type UnopenedFilters = {
  /** Of the last days, today included. */
  days?: (typeof RESULT_DAYS)[number]
  older?: (typeof OLDER_THAN_DAYS)[number]
}
export type ResultFilters = {
  days?: (typeof RESULT_DAYS)[number]
  opening?: (typeof OPENING_FILTERS)[number]
}
