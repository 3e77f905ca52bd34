import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import react from '@vitejs/plugin-react'
import { Hono } from 'hono'
import { build } from 'vite'
import { compressFiles } from '../../scripts/compress-files.ts'
import { securityHeaders } from '../../server/http/middleware/security-headers.ts'
import { openBuiltFrontEnd } from '../../server/http/pages/front-end.ts'
import type { Env } from '../../server/http/types.ts'

/**
 * Serves the baselines in React, as the product serves its own files: of a screen, two inputs in one script, and at `/next`
 * of a verdict.
 */
export async function startBarePage(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'dosar-bare-page-'))
  const root = fileURLToPath(new URL('bare-page', import.meta.url))
  // Built separately, so that they share no script.
  for (const input of ['index.html', 'next.html'])
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [react()],
      build: {
        outDir: folder,
        emptyOutDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: join(root, input) },
      },
    })
  await compressFiles(folder)
  const { serveFile } = openBuiltFrontEnd(folder)
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const next = await readFile(join(folder, 'next.html'), 'utf8')
  const app = new Hono<Env>()
  app.use(securityHeaders({ url: 'http://localhost' }))
  app.post('/verdict', (c) => c.json({}))
  app.get('/next/*', (c) => c.html(next, 200, { 'cache-control': 'no-store' }))
  app.get('*', serveFile, (c) => c.html(page, 200, { 'cache-control': 'no-store' }))
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  if (!server.listening) await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
