import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { watchBuilds } from './watch-builds.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))

/** Starts a server with a build that a test can replace, and a page that watches the build. */
async function watch(served: { id: string; status?: number }) {
  let requested = 0
  const server = createServer((_request, response) => {
    requested++
    response.writeHead(served.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: served.id, timestamp: 0 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState })
  const onNewer = vi.fn()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/builds/latest.json`
  watchBuilds({ ownId: 'a', page, url, onNewer })
  return {
    server,
    onNewer,
    requestCount: () => requested,
    /** Waits until a check that has begun has had this effect. */
    until: async (isDone: () => boolean) => {
      while (!isDone()) await new Promise(setImmediate)
    },
    show: (state: DocumentVisibilityState) => {
      page.visibilityState = state
      page.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

it('requests the build every 60 minutes and reports another build once [9.2]', async () => {
  const served = { id: 'a' }
  const { onNewer, requestCount, until } = await watch(served)
  vi.advanceTimersByTime(60 * MINUTE - 1)
  expect(vi.getTimerCount()).toBe(1)
  expect(requestCount()).toBe(0)
  vi.advanceTimersByTime(1)
  await until(() => requestCount() === 1)
  served.id = 'b'
  vi.advanceTimersByTime(60 * MINUTE - 1)
  expect(onNewer).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  await until(() => onNewer.mock.calls.length > 0)
  expect(requestCount()).toBe(2)
  // No further check is scheduled.
  expect(vi.getTimerCount()).toBe(0)
})

it('requests the build when a page becomes visible after more than 60 minutes, not sooner [9.2]', async () => {
  const { onNewer, until, show } = await watch({ id: 'b' })
  show('hidden')
  // The time passes, but the timers of a hidden page do not run.
  vi.setSystemTime(Date.now() + 59 * MINUTE)
  show('visible')
  show('hidden')
  vi.setSystemTime(Date.now() + MINUTE)
  show('hidden')
  expect(onNewer).not.toHaveBeenCalled()
  show('visible')
  await until(() => onNewer.mock.calls.length > 0)
  show('hidden')
  vi.setSystemTime(Date.now() + 61 * MINUTE)
  show('visible')
  expect(onNewer).toHaveBeenCalledOnce()
})

it('reports nothing if the server does not respond, and repeats the request after an hour [9.2]', async () => {
  const served = { id: 'b', status: 503 }
  const { onNewer, requestCount, until } = await watch(served)
  vi.advanceTimersByTime(60 * MINUTE)
  // A safe request is retried once.
  await until(() => requestCount() === 2)
  expect(onNewer).not.toHaveBeenCalled()
  served.status = 200
  vi.advanceTimersByTime(60 * MINUTE)
  await until(() => onNewer.mock.calls.length > 0)
  expect(requestCount()).toBe(3)
})
