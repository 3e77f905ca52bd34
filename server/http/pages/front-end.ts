import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { SCREENS, type Screen } from '../../../shared/access/site-map.ts'
import { type Operations, readOperations } from '../graphql/operations.ts'
import type { Env } from '../types.ts'
import { SCREEN_MODULES } from './screen-modules.ts'

/** Where pages and their files come from: the build, or in development the sources (`dev-front-end.ts`). */
export interface FrontEnd {
  /** Returns a file of the front end, or passes the request on. */
  serveFile: MiddlewareHandler<Env>
  /** Returns the HTML template of the page at a path; null when the front end is not built. */
  readPage(path: string): Promise<string | null>
  /** The scripts of a screen beside the page's own, as paths without the leading slash. */
  screenScripts: Readonly<Partial<Record<Screen, readonly string[]>>>
  /** The GraphQL documents of the pages; none in development, where they change with each save. */
  operations: Operations
}

/** The root of the sources. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/**
 * Files that are never served: templates of pages, files for developers or the server, and compressed copies.
 */
const WITHHELD = /(^|\/)\.|\.(html|map|br|gz)$/
/** Files with a hash of their content in their name, which browsers may cache forever. */
const HASHED = /^\/(assets|builds\/meta)\//

/** Opens the front end that `scripts/build-web.ts` built into a folder; without a build it serves no page. */
export function openBuiltFrontEnd(folder = join(ROOT, 'dist')): FrontEnd {
  const template = join(folder, 'index.html')
  if (!existsSync(template))
    return {
      serveFile: (_c, next) => next(),
      readPage: async () => null,
      screenScripts: {},
      operations: new Map(),
    }
  const page = readFileSync(template, 'utf8')
  return {
    serveFile: serveBuiltFile(folder),
    readPage: async () => page,
    screenScripts: readScreenScripts(folder),
    operations: readOperations(join(folder, '.operations.json')),
  }
}

/**
 * Serves files with the build's compression. Browsers revalidate files whose name does not change with their
 * content.
 */
function serveBuiltFile(folder: string): MiddlewareHandler<Env> {
  const serve = serveStatic<Env>({ root: folder, precompressed: true })
  const revalidate = etag()
  return async (c, next) => {
    // The path as it was sent: `c.req.path` is decoded, and a file must not be available at a second address.
    const { pathname: path } = new URL(c.req.url)
    if (!/^[^%]*\.\w+$/.test(path) || WITHHELD.test(path)) return next()
    const file = await serve(c, async () => undefined)
    if (!file) return next()
    const isHashed = HASHED.test(path)
    file.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    c.res = file
    if (!isHashed) await revalidate(c, async () => undefined)
    return
  }
}

type Manifest = Record<string, { file: string; imports?: string[] }>

/**
 * Returns the scripts of each screen from Vite's manifest; none when there is no manifest. Throws an Error
 * when the manifest lacks a module of a screen.
 */
export function readScreenScripts(folder: string): FrontEnd['screenScripts'] {
  const path = join(folder, '.vite/manifest.json')
  if (!existsSync(path)) return {}
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'))
  const reach = (modules: readonly string[]) => {
    const seen = new Set(modules)
    for (const module of seen) {
      const chunk = manifest[module]
      if (!chunk) throw new Error(`server/http/pages/screen-modules.ts: the build has no module ${module}`)
      for (const next of chunk.imports ?? []) seen.add(next)
    }
    return seen
  }
  const page = reach(['index.html'])
  const scriptsOf = (screen: Screen) =>
    [...reach(SCREEN_MODULES[screen]).difference(page)].map((module) => manifest[module]!.file)
  return Object.fromEntries(SCREENS.map((screen) => [screen, scriptsOf(screen)]))
}
