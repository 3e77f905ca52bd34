import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { upsertSettings } from '../../server/features/site/site.db.ts'
import type { Env } from '../../server/http/types.ts'
import { createIntegration } from '../../test/integrations/send-documents.ts'
import { listen } from '../../test/real-http.ts'
import { sha256 } from '../../test/sha256.ts'
import { createTestServer, type TestServer } from '../../test/test-server.ts'
import { createWatch } from './watch.ts'

const MAX_REQUEST_BYTES = 100_000

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await upsertSettings(server.db, { upload_file_mib: 1 })
})

const document = (size: number, what = 'rezultat ') => what.repeat(size).slice(0, size)
const incomingNames = () => readdir(join(server.services.config.dataDir, 'incoming'))

/** A folder that is sent to the product; `meet` sees each request before the product, and may break its connection. */
async function openFolder(meet: (c: Context<Env>) => void | Promise<void> = () => undefined) {
  const scanner = await createIntegration(server)
  const requests: string[] = []
  const app = new Hono<Env>().all('*', async (c) => {
    const offset = c.req.header('upload-offset')
    requests.push(offset ? `${c.req.method} ${offset}` : c.req.method)
    await meet(c)
    return server.app.fetch(c.req.raw, c.env)
  })
  const real = await listen(app)
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dosar-watch-')))
  onTestFinished(async () => {
    await real.close()
    await rm(root, { recursive: true, force: true })
  })
  const lines: string[] = []
  const settings = {
    root,
    server: {
      address: new URL(real.url),
      key: scanner.headers('').authorization.slice('Bearer '.length),
    },
    stablePolls: 1,
    maxRequestBytes: MAX_REQUEST_BYTES,
    retryMs: 0,
    log: (line: string) => lines.push(line),
  }
  return {
    root,
    requests,
    lines,
    settings,
    poll: createWatch(settings),
    put: async (path: string, text: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    },
    list: async () =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort(),
    stored: () =>
      server.db
        .selectFrom('intake')
        .innerJoin('file', 'file.id', 'intake.file_id')
        .select(['file.name', 'file.sha256', 'intake.facts'])
        .where('intake.integration_id', '=', scanner.id)
        .execute(),
  }
}

describe('a document that is larger than a request', () => {
  it('is sent in several, with its facts, and others in one', async () => {
    const { put, poll, requests, list, lines, stored } = await openFolder()
    const large = document(250_000)
    await put('eco/Popescu "Ană".txt', large)
    await put('eco/Popescu "Ană".txt.json', '{"accessionNumber":"A1"}')
    await poll()
    expect(requests).toEqual(['POST', 'HEAD', 'PATCH 0', 'PATCH 100000', 'PATCH 200000', 'POST'])
    expect(await stored()).toEqual([
      { name: 'Popescu _Ană_.txt', sha256: sha256(Buffer.from(large)), facts: { accessionNumber: 'A1' } },
    ])
    await put('mic.txt', document(MAX_REQUEST_BYTES))
    await poll()
    expect(requests.slice(6)).toEqual(['POST'])
    expect(await list()).toEqual([
      'preluate/eco/Popescu "Ană".txt',
      'preluate/eco/Popescu "Ană".txt.json',
      'preluate/mic.txt',
    ])
    expect(lines).toEqual(['Fișiere preluate: 1.', 'Fișiere preluate: 1.'])
    expect(await incomingNames()).toEqual([])
  })

  it('continues where the connection broke, also in another process', async () => {
    let isCut = false
    const { put, poll, settings, requests, list, stored } = await openFolder((c) => {
      if (isCut || c.req.header('upload-offset') !== '100000') return
      isCut = true
      ;(c.env as HttpBindings).incoming.socket.resetAndDestroy()
    })
    const large = document(250_000)
    await put('a.txt', large)
    await poll()
    expect(await list()).toEqual(['a.txt'])
    const before = requests.length
    // The server may not have seen yet that the connection is gone.
    await expect
      .poll(async () => {
        await createWatch(settings)()
        return list()
      })
      .toEqual(['preluate/a.txt'])
    expect(requests.slice(before).filter((request) => request === 'PATCH 0')).toEqual([])
    expect(await stored()).toMatchObject([{ sha256: sha256(Buffer.from(large)) }])
  })

  it('that was filed and not moved is not sent again', async () => {
    const { put, poll, root, settings, requests, list, stored } = await openFolder()
    await put('a.txt', document(250_000))
    await poll()
    // As a process leaves it that is killed right after the last answer.
    await rename(join(root, 'preluate/a.txt'), join(root, 'a.txt'))
    requests.length = 0
    await createWatch(settings)()
    expect(requests).toEqual(['POST', 'HEAD', 'POST'])
    expect(await list()).toEqual(['preluate/a.txt'])
    expect(await stored()).toHaveLength(1)
  })

  it('and changes while it is sent leaves nothing, and is sent anew', async () => {
    let changed = ''
    const { put, poll, root, list, stored } = await openFolder(async (c) => {
      if (changed || c.req.header('upload-offset') !== '0') return
      changed = document(250_000, 'altceva ')
      await writeFile(join(root, 'a.txt'), changed)
    })
    await put('a.txt', document(250_000))
    await poll()
    expect(await stored()).toEqual([])
    expect(await incomingNames()).toEqual([])
    expect(await list()).toEqual(['a.txt'])
    await poll()
    expect(await stored()).toMatchObject([{ sha256: sha256(Buffer.from(changed)) }])
  })

  it('and has facts that are not right is refused, and its bytes are not sent again with right ones', async () => {
    const { put, poll, root, requests, list, lines, stored } = await openFolder()
    await put('a.txt', document(250_000))
    await put('a.txt.json', '{"cpn":"1"}')
    await poll()
    expect(await readFile(join(root, 'refuzate/a.txt.motiv.txt'), 'utf8')).toContain(
      'Codul: 400 BAD_USER_INPUT',
    )
    expect(lines).toEqual([
      'Fișiere refuzate: 1 (400 BAD_USER_INPUT). Motivul este lângă fiecare, în refuzate/.',
    ])
    requests.length = 0
    await put('a.txt.json', '{"title":"RX"}')
    await rename(join(root, 'refuzate/a.txt'), join(root, 'a.txt'))
    await poll()
    expect(requests).toEqual(['POST', 'HEAD', 'POST'])
    expect(await stored()).toMatchObject([{ facts: { title: 'RX' } }])
    expect(await list()).toContain('preluate/a.txt')
  })

  it('than the site allows, or of a program, is refused before any byte is sent', async () => {
    const { put, poll, requests, list } = await openFolder()
    await put('mare.txt', document(1024 ** 2 + 1))
    await put('program.exe', document(250_000))
    await poll()
    expect(requests).toEqual(['POST', 'POST'])
    expect(await list()).toEqual([
      'refuzate/mare.txt',
      'refuzate/mare.txt.motiv.txt',
      'refuzate/program.exe',
      'refuzate/program.exe.motiv.txt',
    ])
  })
})
