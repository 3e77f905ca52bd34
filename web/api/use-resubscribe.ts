import { useEffect, useRef } from 'react'
import { socket } from './socket.ts'

/**
 * Restarts a subscription that ended after a break longer than all retries of the socket [9.6], when the page
 * becomes visible or the browser is online again. Calls `onMissed` after each break, because events during
 * the break were not delivered.
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
    const stopListening = socket.onReconnected(() => latest.current.onMissed())
    return () => {
      stopListening()
      document.removeEventListener('visibilitychange', resubscribe)
      window.removeEventListener('online', resubscribe)
    }
  }, [])
}
