import { client } from '../../api/client.ts'
import { isNear } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { useFreshUploads } from '../uploads/use-fresh-uploads.ts'
import { INBOX, type InboxVariables } from './inbox.queries.ts'

/** The results of the inbox, kept up to date, and those that have arrived since the list was first shown. */
export function useInbox(variables: InboxVariables, isDebouncing: boolean) {
  const { page, isBusy, more, region } = useListQuery(INBOX, (data) => data.inbox, {
    variables,
    isDebouncing,
  })
  const results = page?.nodes ?? null
  const { freshIds, reload, forget } = useFreshUploads({
    rows: results,
    isBusy,
    readPage: async (first, after) => {
      const response = await client.query({
        query: INBOX,
        variables: { ...variables, first, after },
        fetchPolicy: 'no-cache',
      })
      return response.data!.inbox
    },
    onRead: (inbox) => client.writeQuery({ query: INBOX, variables, data: { inbox } }),
    isFresh: ({ openedAt }) => openedAt === null,
  })
  // The rows mark the patients about whom there are news.
  useListChanges('NEWS', reload)

  return {
    results,
    isNear: !isBusy && isNear(page?.reasons),
    isBusy,
    more,
    region,
    reload,
    /** Those of the arrived results that are in the list, in its order. */
    arrived: (results ?? []).filter(({ id }) => freshIds.has(id)),
    forgetArrived: forget,
  }
}
