import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { ROOT } from '../server/http/pages/front-end.ts'
import { hashTree } from './hash-tree.ts'

/** Where the server's JavaScript is written: each module in a file of its own, by the path of its source. */
const OUT = join(ROOT, 'dist-server')
const STAMP = join(OUT, '.sources')
const SOURCES = ['server', 'shared', 'db', 'package-lock.json', 'vite.config.ts', 'scripts/build-server.ts']

/** A module finds what is beside its source (workers, migrations) although it runs from another folder. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const folder = dirname(join(OUT, relative(ROOT, id)))
    const source = JSON.stringify(relative(folder, id))
    return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null }
  },
}

/**
 * Builds the server to JavaScript, so that `npm start` needs neither the memory nor the time to read types. Nothing is built
 * again of the same sources.
 */
export async function buildServer(): Promise<void> {
  const hash = await hashTree(SOURCES)
  if ((await readFile(STAMP, 'utf8').catch(() => null)) === hash) return
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepAddresses],
    build: {
      ssr: join(ROOT, 'server/main.ts'),
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        // Packages are loaded from node_modules.
        external: /^[^./]/,
        output: { entryFileNames: '[name].js', preserveModules: true, preserveModulesRoot: ROOT },
      },
    },
  })
  await writeFile(STAMP, hash)
}
