import { useEffect, useRef } from 'react'
import { onReconnected } from './socket.ts'

/**
 * Starts a subscription anew that has ended after a break longer than the socket tries to come back [9.6], as soon as
 * somebody looks at the page or it is online again. `onMissed` after each break: what happened meanwhile, nobody has told.
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
    const stopListening = onReconnected(() => latest.current.onMissed())
    return () => {
      stopListening()
      document.removeEventListener('visibilitychange', resubscribe)
      window.removeEventListener('online', resubscribe)
    }
  }, [])
}
