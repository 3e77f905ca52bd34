import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import type { Env } from '../../server/http/types.ts'
import { createIntegration } from '../../test/integrations/send-documents.ts'
import { listen } from '../../test/real-http.ts'
import { sha256 } from '../../test/sha256.ts'
import { createTestServer } from '../../test/test-server.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const FILES = 30
/** After how many beginnings and ends of requests each process is killed, in turn. */
const KILLED_AFTER = [1, 2, 3, 5, 4, 8, 6, 20]
/** Every fifth document is larger than one request. */
const REQUEST_MIB = '0.05'

it('a folder whose process is killed again and again loses no document and sends none twice', async () => {
  const server = await createTestServer()
  const scanner = await createIntegration(server)
  let child: ChildProcess | undefined
  let starts = 0
  let left = 0
  const killSometimes = () => {
    left -= 1
    if (left === 0) child?.kill('SIGKILL')
  }
  const app = new Hono<Env>().all('*', async (c) => {
    killSometimes()
    const response = await server.app.fetch(c.req.raw, c.env)
    killSometimes()
    return response
  })
  const real = await listen(app)
  const root = await mkdtemp(join(tmpdir(), 'dosar-watch-'))
  onTestFinished(async () => {
    child?.kill('SIGKILL')
    await real.close()
    await rm(root, { recursive: true, force: true })
  })

  const documents = Array.from(
    { length: FILES },
    (_, index) => `Buletinul ${index}\n${'rezultat '.repeat(index % 5 === 0 ? 20_000 : 5_000)}`,
  )
  await mkdir(join(root, 'eco'))
  for (const [index, text] of documents.entries()) {
    const path = join(root, index % 3 === 0 ? 'eco' : '', `scan${index}.txt`)
    if (index % 2 === 0) await writeFile(`${path}.json`, JSON.stringify({ accessionNumber: `nr-${index}` }))
    await writeFile(path, text)
  }
  const waiting = async () => [
    ...(await readdir(root)).filter((name) => name.startsWith('scan')),
    ...(await readdir(join(root, 'eco'))),
  ]

  while ((await waiting()).length > 0) {
    left = KILLED_AFTER[starts % KILLED_AFTER.length]!
    starts += 1
    const options = ['--poll-seconds', '0.05', '--stable-polls', '1', '--request-mib', REQUEST_MIB]
    child = spawn(process.execPath, [MAIN, root, ...options], {
      env: {
        ...process.env,
        DOSAR_ADDRESS: real.url,
        DOSAR_INTAKE_KEY: scanner.headers('').authorization.slice('Bearer '.length),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    await expect
      .poll(async () => child?.signalCode ?? ((await waiting()).length === 0 ? 'done' : null))
      .not.toBeNull()
    child.kill('SIGKILL')
    await ended
  }

  expect(starts).toBeGreaterThan(5)
  const stored = await server.db
    .selectFrom('intake')
    .innerJoin('file', 'file.id', 'intake.file_id')
    .select(['file.name', 'file.sha256', 'intake.facts'])
    .where('intake.integration_id', '=', scanner.id)
    .execute()
  expect(stored.map((file) => file.sha256.toString('hex')).sort()).toEqual(
    documents.map((text) => sha256(Buffer.from(text)).toString('hex')).sort(),
  )
  for (const { name, facts } of stored) {
    const index = Number(/\d+/.exec(name)![0])
    expect(facts).toEqual(index % 2 === 0 ? { accessionNumber: `nr-${index}` } : {})
  }
  const { count } = await server.db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(FILES)
  // Each with its facts, and no trace of an unfinished move.
  const moved = await readdir(join(root, 'preluate'), { recursive: true })
  expect(moved.filter((name) => !name.endsWith('eco')).length).toBe(FILES + FILES / 2)
})
