import { useEffect, useRef } from 'react'
import { initialSite } from '../session/site.ts'
import { socket } from './socket.ts'

/**
 * Restarts a subscription that ended after a break longer than all retries of the socket [9.6], when the page
 * becomes visible or the browser is online again. Calls `onMissed` after each break, because events during
 * the break were not delivered; without a websocket [7.9] each time the page gets the focus.
 */
export function useResubscribe(
  { error, restart }: { error?: unknown; restart: () => void },
  onMissed: () => void,
): void {
  const latest = useRef({ error, restart, onMissed })
  latest.current = { error, restart, onMissed }
  useEffect(() => {
    const resubscribe = () => {
      const { error, restart, onMissed } = latest.current
      if (!error || document.visibilityState !== 'visible') return
      restart()
      onMissed()
    }
    document.addEventListener('visibilitychange', resubscribe)
    window.addEventListener('online', resubscribe)
    const onMissed = () => latest.current.onMissed()
    const stopListening = socket.onReconnected(onMissed)
    if (!initialSite.realtime) window.addEventListener('focus', onMissed)
    return () => {
      stopListening()
      window.removeEventListener('focus', onMissed)
      document.removeEventListener('visibilitychange', resubscribe)
      window.removeEventListener('online', resubscribe)
    }
  }, [])
}
