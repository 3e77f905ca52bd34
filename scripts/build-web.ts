import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { readScreenScripts } from '../server/http/pages/front-end.ts'
import { buildServer } from './build-server.ts'
import { buildWorkers } from './build-workers.ts'
import { collectOperations } from './collect-operations.ts'
import { compressFiles } from './compress-files.ts'

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

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const names = source.includes('.') ? [''] : (await readdir(source, { recursive: true })).sort()
    for (const name of names) {
      const content = await readFile(join(source, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EISDIR') return null
        throw error
      })
      if (content) hash.update(name).update('\0').update(content)
    }
  }
  return hash.digest('hex')
}

const wanted = await hashSources()
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
