import { useApolloClient } from '@apollo/client/react'
import { useRef } from 'react'
import { useListChanges } from '../site/use-list-changes.ts'
import { NOTIFICATION_COUNT } from './notifications.queries.ts'

/** Counts again what the bell has when it changes. */
export function LiveNotificationCount() {
  const client = useApolloClient()
  const counting = useRef({ isRunning: false, isWanted: false })
  // A failure is repaired by the next change.
  const count = () =>
    client.query({ query: NOTIFICATION_COUNT, fetchPolicy: 'network-only' }).catch(() => undefined)
  // Of many changes at once, those during a request are counted by one more.
  useListChanges('NOTIFICATIONS', async () => {
    const state = counting.current
    state.isWanted = true
    if (state.isRunning) return
    state.isRunning = true
    while (state.isWanted) {
      state.isWanted = false
      await count()
    }
    state.isRunning = false
  })
  return null
}
