import { useSubscription } from '@apollo/client/react'
import { useCallback, useEffect, useRef } from 'react'
import { graphql } from '../../api/graphql.ts'
import { useResubscribe } from '../../api/use-resubscribe.ts'

const UPLOAD_CHANGED = graphql(`
  subscription UploadChanged($patientId: ID) {
    uploadChanged(patientId: $patientId) {
      id
    }
  }
`)

/** Milliseconds in which changes are gathered: one upload on its way makes several. */
const BATCH_MS = 300
/** The same for what costs more to read. */
export const LONG_BATCH_MS = 5_000

type BatchedChanges = { ids: Set<string>; missed: boolean; timer?: ReturnType<typeof setTimeout> }
const emptyBatch = (): BatchedChanges => ({ ids: new Set(), missed: false })

/**
 * Calls `onChange` when uploads that the reader may see have changed, once for a burst: with their ids, or with null
 * where something may have been missed (a break on the way, a page that was asleep) and everything is to be read anew.
 * Those of one patient, or of all. A page that nobody looks at is told nothing, and when somebody does, that it may have
 * missed something.
 */
export function useLiveUploads(
  onChange: (ids: ReadonlySet<string> | null) => void,
  { patientId = null, gathering = BATCH_MS }: { patientId?: string | null; gathering?: number } = {},
): void {
  const latest = useRef(onChange)
  latest.current = onChange
  const collected = useRef(emptyBatch())

  const gather = useCallback(
    (id: string | null) => {
      if (document.visibilityState !== 'visible') return
      const { current } = collected
      if (id === null) current.missed = true
      else current.ids.add(id)
      current.timer ??= setTimeout(() => {
        const { ids, missed } = current
        collected.current = emptyBatch()
        latest.current(missed ? null : ids)
      }, gathering)
    },
    [gathering],
  )

  const subscription = useSubscription(UPLOAD_CHANGED, {
    variables: { patientId },
    onData: ({ data: { data } }) => {
      if (data) gather(data.uploadChanged.id)
    },
  })
  useResubscribe(subscription, () => gather(null))

  useEffect(() => {
    const look = () => gather(null)
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearTimeout(collected.current.timer)
      collected.current = emptyBatch()
    }
  }, [gather])
}
