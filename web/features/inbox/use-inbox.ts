import { useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { isNear } from '../../lists/search-reasons.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { readPages } from '../uploads/read-pages.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { INBOX, type InboxVariables, type ResultLine } from './inbox.queries.ts'

/** The results of the inbox, kept up to date, and those that have arrived since the list was first shown. */
export function useInbox(variables: InboxVariables, isDebouncing: boolean) {
  const { page, isBusy, more, region } = useListQuery(INBOX, (data) => data.inbox, {
    variables,
    isDebouncing,
  })
  const results = page?.nodes ?? null
  const [arrivedIds, setArrivedIds] = useState<ReadonlySet<string>>(new Set())
  // While a list loads, the previous one is shown: compared with that, results of the new one would all seem to arrive.
  const current = useRef<readonly ResultLine[] | null>(null)
  current.current = isBusy ? null : results

  const reload = async (changed: ReadonlySet<string> | null) => {
    const isLoaded = current.current !== null
    const previousIds = new Set(current.current?.map(({ id }) => id))
    const inbox = await readPages(previousIds.size, async (first, after) => {
      const response = await client.query({
        query: INBOX,
        variables: { ...variables, first, after },
        fetchPolicy: 'no-cache',
      })
      return response.data!.inbox
    }).catch(() => null)
    // If the request failed, the list stays as it is, and the next change repeats the request.
    if (!inbox) return
    client.writeQuery({ query: INBOX, variables, data: { inbox } })
    const arrived = inbox.nodes.filter(
      ({ id, openedAt }) => isLoaded && openedAt === null && changed?.has(id) && !previousIds.has(id),
    )
    if (arrived.length > 0) setArrivedIds((ids) => new Set([...ids, ...arrived.map(({ id }) => id)]))
  }
  useLiveUploads(reload)

  return {
    results,
    isNear: !isBusy && isNear(page?.reasons),
    isBusy,
    more,
    region,
    reload: () => void reload(null),
    /** Those of the arrived results that are in the list, in its order. */
    arrived: (results ?? []).filter(({ id }) => arrivedIds.has(id)),
    forgetArrived: () => setArrivedIds(new Set()),
  }
}
