import { useSubscription } from '@apollo/client/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { graphql } from '../../api/graphql.ts'
import { useResubscribe } from '../../api/use-resubscribe.ts'

const UPLOAD_CHANGED = graphql(`
  subscription UploadChanged($patientId: ID) {
    uploadChanged(patientId: $patientId) {
      id
    }
  }
`)

/** How long changes are collected before `onChange`, since the processing of one upload causes several. */
const BATCH_MS = 300
/** The collecting time for lists that are expensive to load. */
export const LONG_BATCH_MS = 5_000

type BatchedChanges = { ids: Set<string>; missed: boolean; timer?: ReturnType<typeof setTimeout> }
const emptyBatch = (): BatchedChanges => ({ ids: new Set(), missed: false })

/**
 * Calls `onChange` once for a burst of changes of visible uploads, of one patient or all: with their ids, or
 * with null if changes may have been missed and everything must be reloaded. A hidden page gets no changes,
 * unless `whileHidden`, and gets null when it becomes visible.
 */
export function useLiveUploads(
  onChange: (ids: ReadonlySet<string> | null) => void,
  {
    patientId = null,
    batchMs = BATCH_MS,
    whileHidden = false,
  }: { patientId?: string | null; batchMs?: number; whileHidden?: boolean } = {},
): void {
  const latest = useRef(onChange)
  latest.current = onChange
  const collected = useRef(emptyBatch())

  const collect = useCallback(
    (id: string | null) => {
      if (!whileHidden && document.visibilityState !== 'visible') return
      const { current } = collected
      if (id === null) current.missed = true
      else current.ids.add(id)
      current.timer ??= setTimeout(() => {
        const { ids, missed } = current
        collected.current = emptyBatch()
        latest.current(missed ? null : ids)
      }, batchMs)
    },
    [batchMs, whileHidden],
  )

  const [error, setError] = useState<unknown>()
  const { restart } = useSubscription(UPLOAD_CHANGED, {
    variables: { patientId },
    // A screen that an event does not change is not rendered again.
    ignoreResults: true,
    onError: setError,
    onData: ({ data: { data } }) => {
      if (data) collect(data.uploadChanged.id)
    },
  })
  const restartAfterError = () => {
    setError(undefined)
    restart()
  }
  useResubscribe({ error, restart: restartAfterError }, () => collect(null))

  useEffect(() => {
    const onVisible = () => collect(null)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      clearTimeout(collected.current.timer)
      collected.current = emptyBatch()
    }
  }, [collect])
}
