import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const PRODUCT = fileURLToPath(new URL('..', import.meta.url))
/** Where the server's JavaScript is written: each module in a file of its own, by the path of its source. */
const OUT = join(PRODUCT, 'dist-server')
const STAMP = join(OUT, '.sources')
const FOLDERS = ['server', 'shared', 'db']
const FILES = ['package-lock.json', 'vite.config.ts', 'scripts/build-server.ts']

/** A module finds what is beside its source (workers, migrations) although it runs from another folder. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const folder = dirname(join(OUT, relative(PRODUCT, id)))
    const source = JSON.stringify(relative(folder, id))
    return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null }
  },
}

/**
 * Builds the server to JavaScript, so that `npm start` needs neither the memory nor the time to read types. Nothing is built
 * again of the same sources.
 */
export async function buildServer(): Promise<void> {
  const hash = await hashSources()
  if ((await readFile(STAMP, 'utf8').catch(() => null)) === hash) return
  await build({
    configFile: false,
    root: PRODUCT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepAddresses],
    build: {
      ssr: join(PRODUCT, 'server/main.ts'),
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        // Packages are loaded from node_modules.
        external: /^[^./]/,
        output: { entryFileNames: '[name].js', preserveModules: true, preserveModulesRoot: PRODUCT },
      },
    },
  })
  await writeFile(STAMP, hash)
}

async function hashSources(): Promise<string> {
  const inFolders = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(PRODUCT, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => relative(PRODUCT, join(entry.parentPath, entry.name))),
    ),
  )
  const hash = createHash('sha256')
  for (const path of [...FILES, ...inFolders.flat()].toSorted())
    hash.update(`\0${path}\0`).update(await readFile(join(PRODUCT, path)))
  return hash.digest('hex')
}
