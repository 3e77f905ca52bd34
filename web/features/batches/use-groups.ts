import { useApolloClient, useSubscription } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import type { BatchFilter } from '../../../shared/uploads/batches.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useResubscribe } from '../../api/use-resubscribe.ts'
import { readPages } from '../uploads/read-pages.ts'
import { BATCH, BATCH_CHANGED, type BatchGroup, type BatchHead } from './batches.queries.ts'
import { findChanged } from './group-facts.ts'

type Loaded = { filter: BatchFilter | null; groups: readonly BatchGroup[]; endCursor: string | null }

/**
 * Reads the groups of a batch and reads them again when it changes, one request at a time. `groups` is null while those of
 * another filter are on the screen. Not from the cache: a row must have the version that it was read with.
 */
export function useGroups(batchId: string, filter: BatchFilter | null) {
  const client = useApolloClient()
  const [batch, setBatch] = useState<BatchHead | null>(null)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isLoadingMore, setLoadingMore] = useState(false)
  /** As it was read last, also before it is on the screen. */
  const latestBatch = useRef<BatchHead | null>(null)
  const latestGroups = useRef<readonly BatchGroup[]>([])
  /** When the patient of a row changed on the screen. */
  const changedAt = useRef(new Map<string, number>())
  const latest = useRef({ batchId, filter, loaded })
  latest.current = { batchId, filter, loaded }
  const reading = useRef<{ running: Promise<void> | null; isWanted: boolean; wantsMore: boolean }>({
    running: null,
    isWanted: false,
    wantsMore: false,
  })

  const readPage = async (
    wanted: { batchId: string; filter: BatchFilter | null },
    first: number,
    after: string | null,
  ) => {
    const variables = { id: wanted.batchId, filter: wanted.filter, first, after }
    const { data } = await client.query({ query: BATCH, variables, fetchPolicy: 'no-cache' })
    if (!data) throw new Error('batch: no data')
    return data.batch
  }

  const readAll = async (more: boolean) => {
    const { batchId, filter, loaded } = latest.current
    const isSame = loaded?.filter === filter
    const count = (isSame ? loaded.groups.length : 0) + (more ? LIMITS.pageSize : 0)
    // The version of the first page: with that of a later one, rows could be filed that are not on the screen.
    let head: BatchHead | null = null
    const page = await readPages(count, async (first, after) => {
      const { groups, ...rest } = await readPage({ batchId, filter }, first, after)
      head ??= rest
      return groups
    })
    if (latest.current.batchId !== batchId || latest.current.filter !== filter) return
    if (isSame) for (const id of findChanged(loaded.groups, page.nodes)) changedAt.current.set(id, Date.now())
    latestBatch.current = head
    latestGroups.current = page.nodes
    setBatch(head)
    setLoaded({ filter, groups: page.nodes, endCursor: page.endCursor })
    setError(null)
  }

  /** Reads everything on the screen again; resolves when what is newer than this call is shown. */
  const reload = (wantsMore = false): Promise<void> => {
    const current = reading.current
    current.isWanted = true
    current.wantsMore ||= wantsMore
    const run = async () => {
      while (current.isWanted) {
        const more = current.wantsMore
        Object.assign(current, { isWanted: false, wantsMore: false })
        try {
          await readAll(more)
        } catch (failure) {
          setError(failure)
        }
      }
      current.running = null
    }
    current.running ??= run()
    return current.running
  }
  const latestReload = useRef(reload)
  latestReload.current = reload

  // biome-ignore lint/correctness/useExhaustiveDependencies: another batch or filter is read anew
  useEffect(() => void latestReload.current(), [batchId, filter])
  useLiveBatch(batchId, () => void latestReload.current())

  const isCurrent = loaded?.filter === filter && batch?.id === batchId
  const failure = error === null ? null : errorMessage(error)
  return {
    batch: batch?.id === batchId ? batch : null,
    groups: isCurrent ? loaded.groups : null,
    reload,
    /** Reads everything again and returns the batch. */
    readBatch: async () => {
      await reload()
      return latestBatch.current
    },
    /** Returns a group as it was read last; null if it is no longer in the list. */
    findGroup: (id: string): BatchGroup | null =>
      latestGroups.current.find(({ upload }) => upload.id === id) ?? null,
    changedAt: changedAt.current,
    more: {
      hasMore: isCurrent && loaded.endCursor !== null,
      isLoading: isLoadingMore,
      onLoadMore: async () => {
        setLoadingMore(true)
        await reload(true)
        setLoadingMore(false)
      },
    },
    /** The props of `ListRegion`. */
    region: {
      isBusy: !isCurrent && failure === null,
      isOutdated: false,
      failure: isCurrent ? null : failure,
      refreshFailure: isCurrent ? failure : null,
      isRetrying: false,
      onRetry: () => void reload(),
    },
  }
}

function useLiveBatch(batchId: string, onChange: () => void): void {
  const [error, setError] = useState<unknown>()
  const { restart } = useSubscription(BATCH_CHANGED, {
    variables: { id: batchId },
    ignoreResults: true,
    onError: setError,
    onData: onChange,
  })
  const restartAfterError = () => {
    setError(undefined)
    restart()
  }
  useResubscribe({ error, restart: restartAfterError }, onChange)
}
