/** For `useQuery`: data that another query of the page loads, which a component only reads, or reads again with `refetch`. */
export const FROM_CACHE = { fetchPolicy: 'cache-only', nextFetchPolicy: 'cache-only' } as const
