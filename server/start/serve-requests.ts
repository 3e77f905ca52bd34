import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { createApp } from '../app.ts'
import { BODY_TIME_MS, limitBodyTime } from '../http/middleware/limit-body-time.ts'
import type { DevFrontEnd } from '../http/pages/dev-front-end.ts'
import { attachRealtime, isWebSocketUpgrade } from '../http/realtime/realtime.ts'
import { schema } from '../schema.ts'
import type { Services } from '../services.ts'
import type { Stops } from './stops.ts'

/** How long running requests may take to end after a stop signal. */
const SHUTDOWN_TIMEOUT_MS = 10_000
/** How often connections are closed whose last request has ended meanwhile. */
const IDLE_CHECK_MS = 50

/** Listens. The stop takes no further connections and waits for the requests that run. */
export async function serveRequests(
  services: Services,
  stops: Stops,
  devFrontEnd?: DevFrontEnd,
): Promise<void> {
  const { config } = services
  const server = serve({
    fetch: createApp(services, devFrontEnd).fetch,
    port: config.port,
    serverOptions: { shouldUpgradeCallback: isWebSocketUpgrade },
    ...(config.host && { hostname: config.host }),
  }) as Server
  // No limit here, since a file of 2 GiB over a slow connection takes long; limitBodyTime limits all other
  // bodies.
  server.requestTimeout = 0
  limitBodyTime(server, BODY_TIME_MS)
  server.headersTimeout = 10_000
  const realtime = attachRealtime(server, services, schema)
  devFrontEnd?.attach(server)
  // Before it listens, so that a stop meanwhile ends it too.
  stops.add(async () => {
    const closed = once(server, 'close')
    server.close()
    const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
    await devFrontEnd?.close()
    await realtime.stop()
    await Promise.race([closed, pause(SHUTDOWN_TIMEOUT_MS)])
    clearInterval(closing)
    server.closeAllConnections()
  })
  await once(server, 'listening')
}
