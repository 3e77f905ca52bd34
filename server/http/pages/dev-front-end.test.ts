import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../test/real-http.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { securityHeaders } from '../middleware/security-headers.ts'
import type { Env } from '../types.ts'
import { openDevFrontEnd } from './dev-front-end.ts'
import { createPageRenderer, pageRoutes } from './pages.ts'

it('serves the page and its modules from the sources, under a policy that allows Vite, and no other file', async () => {
  const { services } = await createTestServer()
  const frontEnd = await openDevFrontEnd(services.config)
  onTestFinished(frontEnd.close)
  const app = new Hono<Env>().use(securityHeaders(services.config))
  app.route('/', pageRoutes(frontEnd, createPageRenderer(services, frontEnd)))
  const { url, close } = await listen(app)
  onTestFinished(close)

  const page = await fetch(`${url}/patients`)
  const html = await page.text()
  expect(html).toContain('src="/@vite/client"')
  expect(html).toContain('id="site"')
  expect(page.headers.get('content-security-policy')).not.toContain('trusted-types')
  expect(page.headers.get('content-security-policy')).toMatch(
    /script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';/,
  )
  const module = await fetch(`${url}/web/main.tsx`)
  expect(await module.text()).toContain('/web/router.tsx')
  for (const path of ['/server/main.ts', '/package.json', '/.env', '/package-lock.json'])
    expect([path, (await fetch(`${url}${path}`)).ok]).toEqual([path, false])
})
