import { useSubscription } from '@apollo/client/react'
import { useCallback, useEffect, useRef } from 'react'
import { graphql } from '../../api/graphql.ts'
import { useRevival } from '../../api/use-revival.ts'

const UPLOAD_CHANGED = graphql(`
  subscription UploadChanged($patientId: ID) {
    uploadChanged(patientId: $patientId) {
      id
    }
  }
`)

/** Milliseconds in which changes are gathered: one upload on its way makes several. */
const GATHERING = 300
/** The same for what costs more to read. */
export const LONG_GATHERING = 5_000

type Gathered = { ids: Set<string>; missed: boolean; timer?: ReturnType<typeof setTimeout> }
const nothingYet = (): Gathered => ({ ids: new Set(), missed: false })

/**
 * Calls `onChange` when uploads that the reader may see have changed, once for a burst: with their ids, or with null
 * where something may have been missed (a break on the way, a page that was asleep) and everything is to be read anew.
 * Those of one patient, or of all. A page that nobody looks at is told nothing, and when somebody does, that it may have
 * missed something.
 */
export function useLiveUploads(
  onChange: (ids: ReadonlySet<string> | null) => void,
  { patientId = null, gathering = GATHERING }: { patientId?: string | null; gathering?: number } = {},
): void {
  const latest = useRef(onChange)
  latest.current = onChange
  const gathered = useRef(nothingYet())

  const gather = useCallback(
    (id: string | null) => {
      if (document.visibilityState !== 'visible') return
      const { current } = gathered
      if (id === null) current.missed = true
      else current.ids.add(id)
      current.timer ??= setTimeout(() => {
        const { ids, missed } = current
        gathered.current = nothingYet()
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
  useRevival(subscription, () => gather(null))

  useEffect(() => {
    const look = () => gather(null)
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearTimeout(gathered.current.timer)
      gathered.current = nothingYet()
    }
  }, [gather])
}
