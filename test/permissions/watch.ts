import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import type { Principal } from './world.ts'

/** The code with which a socket is closed that has no valid session. */
export const UNAUTHORIZED = 4401

/** What a principal's websocket has brought so far. */
export type Watch = {
  close: () => void
  principal: Principal
  /** The announcements about the site. */
  site: unknown[]
  /** The ids of uploads, in the order of their arrival. */
  uploads: string[]
  /** The code with which the socket was closed. */
  closed: number | null
}

/** Opens one socket for the principal, with both subscriptions. */
export function watch(url: string, principal: Principal): Watch {
  const seen: Watch = { close: () => void client.dispose(), principal, site: [], uploads: [], closed: null }
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    connectionParams: principal.headers.realtime,
    retryAttempts: 0,
    on: {
      closed: (event) => {
        seen.closed = (event as { code: number }).code
      },
    },
  })
  const ignore = { error: () => undefined, complete: () => undefined }
  client.subscribe<{ uploadChanged: { id: string | null } }>(
    { query: 'subscription { uploadChanged { id } }' },
    { next: ({ data }) => seen.uploads.push(data!.uploadChanged.id ?? 'resync'), ...ignore },
  )
  client.subscribe<{ siteChanged: unknown }>(
    { query: 'subscription { siteChanged }' },
    { next: ({ data }) => seen.site.push(data!.siteChanged), ...ignore },
  )
  return seen
}
