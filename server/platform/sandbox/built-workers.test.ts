import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { buildWorkers, WORKER } from '../../../scripts/build-workers.ts'
import { makeDicom, makeImage, makeWord, makeZip } from '../../../test/hostile-files.ts'
import { makeMalformedPdfs } from '../../../test/inspection/malformed-files.ts'
import { makeReports } from '../../../test/inspection/report-layouts.ts'
import { builtArguments, findWorker, hashSources, stampPath } from './built-workers.ts'

const PRODUCT = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns what a worker says of a file. */
async function inspect([run = '', ...rest]: readonly string[], path: string): Promise<unknown> {
  const file = await open(path)
  const child = fork(run, rest, {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', file.fd],
  })
  try {
    await once(child, 'message')
    child.send({ name: path, mayConfirm: true, limits: { seconds: 60, memory: 2 ** 30 } })
    return (await once(child, 'message'))[0]
  } finally {
    child.kill('SIGKILL')
    await file.close()
  }
}

it('the worker that is built says of each kind of file what its sources say', async () => {
  await buildWorkers()
  const folder = await mkdtemp(join(tmpdir(), 'dosar-built-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [report] = Object.values(await makeReports())
  const files = {
    'raport.pdf': report!.bytes,
    ...makeMalformedPdfs(),
    'poza.jpg': await makeImage('jpeg'),
    'felie.dcm': makeDicom(),
    'scrisoare.docx': await makeWord({}),
    'arhiva.zip': await makeZip({ 'raport.pdf': report!.bytes }),
    'note.txt': Buffer.from('Nume: Popescu Ana'),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name)
    await writeFile(path, bytes)
    const [fromSource, built] = await Promise.all([
      inspect([fileURLToPath(WORKER)], path),
      inspect(builtArguments(PRODUCT, WORKER), path),
    ])
    expect([name, built]).toEqual([name, fromSource])
  }
}, 60_000)

it('a built worker runs only while its sources are what it was built of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dosar-built-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'some-worker.ts')
  const worker = pathToFileURL(path)
  const fromSource = [path]
  expect(findWorker(folder, worker)).toEqual(fromSource)
  writeFileSync(path, 'one')
  writeFileSync(join(folder, 'part.ts'), 'two')
  const sources = ['some-worker.ts', 'part.ts']
  mkdirSync(dirname(stampPath(folder, worker)))
  writeFileSync(stampPath(folder, worker), JSON.stringify({ sources, hash: hashSources(folder, sources) }))
  expect(findWorker(folder, worker)).toEqual(builtArguments(folder, worker))
  writeFileSync(join(folder, 'part.ts'), 'changed')
  expect(findWorker(folder, worker)).toEqual(fromSource)
  rmSync(join(folder, 'part.ts'))
  expect(findWorker(folder, worker)).toEqual(fromSource)
  writeFileSync(stampPath(folder, worker), 'no JSON')
  expect(findWorker(folder, worker)).toEqual(fromSource)
})
