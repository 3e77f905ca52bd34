import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where `scripts/build-workers.ts` writes workers, in the product's folder. */
export const BUILT_WORKERS = 'dist-workers'
const RUN_BUILT = fileURLToPath(new URL('./run-built.mjs', import.meta.url))

/** What a worker was built of, with paths in the product's folder. */
type Stamp = { sources: string[]; hash: string }

/** Returns the arguments of Node that run the built worker. */
export const builtArguments = (folder: string, worker: URL): [run: string, path: string] => [
  RUN_BUILT,
  join(folder, BUILT_WORKERS, `${basename(worker.pathname, '.ts')}.cjs`),
]

export const stampPath = (folder: string, worker: URL): string => `${builtArguments(folder, worker)[1]}.json`

/** Returns a hash of the sources, which says whether what was built of them is what they are now. */
export function hashSources(folder: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`\0${source}\0`).update(readFileSync(join(folder, source)))
  return hash.digest('hex')
}

/**
 * Returns how Node runs a worker: as it was built of exactly these sources, which starts in a third of the time, and otherwise
 * from its sources.
 */
export function findWorker(folder: string, worker: URL): string[] {
  try {
    const { sources, hash } = JSON.parse(readFileSync(stampPath(folder, worker), 'utf8')) as Stamp
    if (hash === hashSources(folder, sources)) return builtArguments(folder, worker)
  } catch {
    // It was not built.
  }
  return [fileURLToPath(worker)]
}
