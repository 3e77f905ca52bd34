import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { collectOperations } from './collect-operations.ts'
import { printInputWeights } from './weigh-inputs.ts'
import { holdSignInBudget, printScreenWeights, weighScreens } from './weigh-screens.ts'

/** What the front end is built from; a change in any of it asks for a new build. */
const SOURCES = ['web', 'shared', 'index.html', 'vite.config.ts', 'package-lock.json']
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
  const output = (await build({ logLevel: 'warn' })) as Rolldown.RolldownOutput
  await writeFile('dist/.operations.json', JSON.stringify(await collectOperations()))
  const screens = await weighScreens(output)
  const scripts = Object.fromEntries(screens.map(({ path, files }) => [path, files]))
  await writeFile('dist/.screens.json', JSON.stringify(scripts))
  printScreenWeights(screens)
  await printInputWeights()
  // Before the stamp: what is too heavy is refused until it is lighter.
  holdSignInBudget(screens)
  await writeFile(STAMP, wanted)
}
