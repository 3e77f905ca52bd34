import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { buildWorkers, WORKER } from '../../../../scripts/build-workers.ts'
import { makeDicom, makeImage, makeWord, makeZip } from '../../../../test/hostile-files.ts'
import { makeMalformedPdfs } from '../../../../test/inspection/malformed-files.ts'
import { makeReports } from '../../../../test/inspection/report-layouts.ts'
import { builtArguments } from '../../../platform/sandbox/built-workers.ts'

const PRODUCT = fileURLToPath(new URL('../../../..', import.meta.url))

beforeAll(() => buildWorkers())

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
