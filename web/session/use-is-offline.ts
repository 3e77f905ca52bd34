import { useSyncExternalStore } from 'react'
import { connectedFetch, readIsUnreachable, subscribeConnection } from './connection.ts'

/** Interval between two requests that check whether the server can be reached again. */
const PROBE_INTERVAL_MS = 3_000

let probe: ReturnType<typeof setTimeout> | undefined
let stopListening: (() => void) | undefined
const listeners = new Set<() => void>()

/** Whether the browser has no network, or the last request has not reached the server. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, readIsOffline)

const readIsOffline = () => !navigator.onLine || readIsUnreachable()

function notify(): void {
  scheduleProbe()
  for (const listener of listeners) listener()
}

/**
 * Probes the server only while a component shows the state: nothing else needs to know when the server is
 * back.
 */
function scheduleProbe(): void {
  clearTimeout(probe)
  if (!readIsUnreachable() || listeners.size === 0) return
  probe = setTimeout(() => {
    if (navigator.onLine) connectedFetch('/healthz', { cache: 'no-store' }).catch(() => undefined)
    scheduleProbe()
  }, PROBE_INTERVAL_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stopListening ??= listenToConnection()
  scheduleProbe()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopListening?.()
    stopListening = undefined
    clearTimeout(probe)
  }
}

function listenToConnection(): () => void {
  const stop = subscribeConnection(notify)
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    stop()
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}
