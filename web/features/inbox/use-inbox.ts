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
  // A result that is reopened comes back, and does not arrive.
  const knownIds = useRef(new Set<string>())

  const reload = async (changed: ReadonlySet<string> | null) => {
    const isLoaded = current.current !== null
    const shownIds = current.current?.map(({ id }) => id) ?? []
    for (const id of shownIds) knownIds.current.add(id)
    const inbox = await readPages(shownIds.length, async (first, after) => {
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
      ({ id, openedAt }) => isLoaded && openedAt === null && changed?.has(id) && !knownIds.current.has(id),
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
