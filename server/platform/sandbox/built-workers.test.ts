import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { builtArguments, findWorker, hashSources, stampPath } from './built-workers.ts'

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
