import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../test/real-http.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { handleError } from '../middleware/error-handler.ts'
import type { Env } from '../types.ts'
import { openBuiltFrontEnd } from './front-end.ts'
import { createPageRenderer, pageRoutes } from './pages.ts'

const ID = '91ef4949da68d41a'
const BUILD = { id: ID, timestamp: 1_795_248_202_583 }

/** Serves this build over real connections: a client may write a path as it likes. */
async function serveBuild() {
  const { services } = await createTestServer()
  const folder = await mkdtemp(join(tmpdir(), 'dosar-dist-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'dist/builds/meta'), { recursive: true })
  await mkdir(join(folder, 'dist/assets'))
  for (const [name, content] of Object.entries({
    '.env': 'SECRET=1',
    'dist/.env': 'SECRET=2',
    'dist/index.html': '<!doctype html><html lang="ro"><head></head><body></body></html>',
    'dist/assets/main-abc.js': 'document.title',
    'dist/builds/latest.json': JSON.stringify(BUILD),
    [`dist/builds/meta/${ID}.json`]: JSON.stringify(BUILD),
  })) {
    await writeFile(join(folder, name), content)
  }
  const app = new Hono<Env>()
  app.onError(handleError(services))
  const frontEnd = openBuiltFrontEnd(join(folder, 'dist'))
  app.route('/', pageRoutes(frontEnd, createPageRenderer(services, frontEnd)))
  const server = await listen(app)
  onTestFinished(server.close)
  return server.url
}

/** Requests a path literally, not normalised by a URL parser; returns status and the rest as text. */
async function askRaw(url: string, path: string): Promise<{ status: number; rest: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\naccept: text/html\r\nconnection: close\r\n\r\n`)
  const rest = await text(socket)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(rest)?.[1]), rest }
}

describe('builds', () => {
  it('report the current one, revalidated at each request [7.7]', async () => {
    const url = await serveBuild()
    const latest = await fetch(`${url}/builds/latest.json`)
    expect([latest.status, latest.headers.get('content-type'), latest.headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-cache',
    ])
    expect(await latest.json()).toEqual(BUILD)
    const etag = latest.headers.get('etag')!
    const again = await fetch(`${url}/builds/latest.json`, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('report this one by its id, cached forever [7.7]', async () => {
    const url = await serveBuild()
    const meta = await fetch(`${url}/builds/meta/${ID}.json`)
    expect([meta.status, meta.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
    expect(await meta.json()).toEqual(BUILD)
  })

  it('do not exist under another name or path, however it is written [7.7]', async () => {
    const url = await serveBuild()
    const paths = [
      '/builds',
      '/builds/',
      '/builds/meta',
      '/builds/meta/',
      '/builds/meta/0000000000000000.json',
      `/builds/meta/${ID}`,
      `/builds/meta/${ID.toUpperCase()}.json`,
      `/builds/meta/${ID}.json/`,
      `/builds/meta/${ID}.json%00`,
      `/builds/meta/${ID}%2ejson`,
      `/builds/meta//${ID}.json`,
      `//builds/meta/${ID}.json`,
      `/builds//meta/${ID}.json`,
      `/builds%2fmeta%2f${ID}.json`,
      '//builds/latest.json',
      '/builds//latest.json',
      '/builds/%6catest.json',
      '/builds/meta/..%2flatest.json',
      '/builds/meta/..%5clatest.json',
      '/builds/meta/..;/latest.json',
      '/builds/meta/../../.env',
      '/builds/meta/../../../.env',
      '/builds/meta/%2e%2e/%2e%2e/.env',
      '/builds/meta/..%2f..%2f.env',
      '/builds/meta/..%2f..%2f..%2f.env',
      '/builds/meta/constructor.json',
      '/builds/meta/__proto__',
    ]
    for (const path of paths) {
      const { status, rest } = await askRaw(url, path)
      expect([path, status]).toEqual([path, 404])
      expect(rest).not.toMatch(/SECRET|timestamp/)
    }
  })

  it('that are replaced lose their scripts: an old script’s address gets no page [4.12]', async () => {
    const url = await serveBuild()
    for (const accept of ['*/*', 'text/html']) {
      const response = await fetch(`${url}/assets/main-older.js`, { headers: { accept } })
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})
