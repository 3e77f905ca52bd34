import { readFile, writeFile } from 'node:fs/promises'
import { build } from 'vite'
import { readScreenScripts } from '../server/http/pages/front-end.ts'
import { buildServer } from './build-server.ts'
import { buildWorkers } from './build-workers.ts'
import { collectOperations } from './collect-operations.ts'
import { compressFiles } from './compress-files.ts'
import { hashTree } from './hash-tree.ts'

/** The sources of the front end; a change in any of them requires a new build. */
const SOURCES = [
  'web',
  'shared',
  'index.html',
  'server/http/pages/starting-frame.ts',
  'vite.config.ts',
  'package-lock.json',
]
const STAMP = 'dist/.sources'

const wanted = await hashTree(SOURCES)
const built = await readFile(STAMP, 'utf8').catch(() => null)
if (built !== wanted) {
  await build({ logLevel: 'warn' })
  await writeFile('dist/.operations.json', JSON.stringify(await collectOperations()))
  // Before the stamp is written: a build that lacks a screen's module fails each time.
  readScreenScripts('dist')
  await compressFiles('dist')
  await writeFile(STAMP, wanted)
}
await buildWorkers()
await buildServer()
