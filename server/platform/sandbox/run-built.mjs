import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

// Runs a worker that scripts/build-workers.ts has built, with the code that V8 compiled then; with `--compile` it writes that code.
const [path, flag] = process.argv.slice(2)
const compiles = flag === '--compile'
const source = `(function (require, __resolve, __url) {${readFileSync(path, 'utf8')}\n})`
const script = new Script(source, {
  filename: path,
  ...(!compiles && { cachedData: readFileSync(`${path}.cache`) }),
})
script.runInThisContext()(createRequire(import.meta.url), import.meta.resolve, import.meta.url)
// After its task, when V8 has compiled what a task needs.
if (compiles) process.once('exit', () => writeFileSync(`${path}.cache`, script.createCachedData()))
