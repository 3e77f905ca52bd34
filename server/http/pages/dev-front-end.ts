import { once } from 'node:events'
import { type FSWatcher, utimesSync, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { createServer, type ViteDevServer } from 'vite'
import viteConfig from '../../../vite.config.ts'
import type { Config } from '../../config.ts'
import { contentPolicy } from '../middleware/security-headers.ts'
import type { Env } from '../types.ts'
import { type FrontEnd, ROOT } from './front-end.ts'

/**
 * The front end from its sources, for `npm run dev`; `attach` passes Vite's websocket on from the server's
 * port.
 */
export interface DevFrontEnd extends FrontEnd {
  attach(server: Server): void
  close(): Promise<void>
}

export async function openDevFrontEnd(config: Pick<Config, 'url'>): Promise<DevFrontEnd> {
  // Never listens: it only passes upgrades of the product's server on to Vite.
  const upgrades = createHttpServer()
  const vite = await createServer({
    ...viteConfig,
    configFile: false,
    root: ROOT,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: upgrades },
      // Vite must not serve the data folder, which may be in the root and contains the secret.
      fs: { allow: ['web', 'shared', 'node_modules'].map((folder) => join(ROOT, folder)) },
      watch: { ignored: ['data', 'dist', 'test-results'].map((folder) => join(ROOT, folder, '**')) },
    },
  })
  const migrations = restartOnMigration()
  return {
    serveFile: serveSource(vite, config),
    readPage: async (path) => vite.transformIndexHtml(path, await readFile(join(ROOT, 'index.html'), 'utf8')),
    screenScripts: {},
    operations: new Map(),
    close: async () => {
      migrations.close()
      await vite.close()
    },
    attach: (server) => {
      const others = server.listeners('upgrade') as ((...upgrade: unknown[]) => void)[]
      server.removeAllListeners('upgrade')
      server.on('upgrade', (request, ...rest) => {
        if (request.headers['sec-websocket-protocol']?.startsWith('vite-'))
          upgrades.emit('upgrade', request, ...rest)
        else for (const listener of others) listener(request, ...rest)
      })
    },
  }
}

/**
 * Lets Vite serve modules; a page that Vite passes on gets the relaxed policy that Vite's scripts and styles
 * need.
 */
function serveSource(vite: ViteDevServer, config: Pick<Config, 'url'>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { incoming, outgoing } = (c as unknown as Context<{ Bindings: HttpBindings }>).env
    const isPassedOn = await new Promise<boolean>((resolve) => {
      vite.middlewares(incoming, outgoing, () => resolve(true))
      void once(outgoing, 'close').then(() => resolve(false))
    })
    if (!isPassedOn) return RESPONSE_ALREADY_SENT
    await next()
    const policy = c.res.headers.get('content-security-policy') ?? contentPolicy(config)
    c.res.headers.set('content-security-policy', relaxPolicy(policy))
    return
  }
}

/** Allows inline styles and scripts and text as HTML, since Vite writes the styles, one script and its errors into the page. */
const relaxPolicy = (policy: string): string =>
  policy
    .replace(/(script-src|style-src) 'self'/g, "$1 'self' 'unsafe-inline'")
    .replace(/; (require-)?trusted-types[^;]*/g, '')

/**
 * Restarts the server after a change of a migration, which `node --watch` misses because migrations are not
 * imported.
 */
function restartOnMigration(): FSWatcher {
  const main = join(ROOT, 'server/main.ts')
  return watch(join(ROOT, 'db/migrations'), () => {
    const now = new Date()
    utimesSync(main, now, now)
  })
}
