import { useApolloClient } from '@apollo/client/react'
import { useRef } from 'react'
import { noteNotifications } from '../../session/note-notifications.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import { NOTIFICATION_COUNT } from './notifications.queries.ts'

/** Counts again what the bell has when it changes. The first count came with the session. */
export function LiveNotificationCount() {
  const client = useApolloClient()
  const counting = useRef({ isRunning: false, isWanted: false })
  const count = async () => {
    // A failure is repaired by the next change, or with the session.
    const { data } = await client
      .query({ query: NOTIFICATION_COUNT, fetchPolicy: 'no-cache' })
      .catch(() => ({ data: undefined }))
    if (data) noteNotifications(data.notificationCount)
  }
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
