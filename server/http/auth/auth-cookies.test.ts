import { expect, it } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { startOpenIdProvider } from '../../../test/openid-provider.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

/** Seconds. */
const AGES: Record<string, number> = {
  '__Host-dosar.session': 604_800,
  '__Host-dosar.csrf': 604_800,
  '__Host-dosar.callback-url': 604_800,
  '__Host-dosar.device': 31_536_000,
  '__Host-dosar.pending': 300,
  '__Host-dosar.pkce': 900,
  '__Host-dosar.state': 900,
  '__Host-dosar.nonce': 900,
}

it('every cookie of every sign-in method is host-bound, secure, hidden from scripts and of a known age [9.5] (A15)', async () => {
  const provider = await startOpenIdProvider('http://localhost:3000')
  const server = await createTestServer({ oidc: provider.config })
  await upsertSettings(server.db, { login_provider: 'oidc' })
  const user = await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
  const authenticator = await enableSecondFactor(server, user)
  const lines: string[] = []
  const request = async (input: string, init: RequestInit) => {
    const response = await server.app.request(input, init)
    lines.push(...response.headers.getSetCookie())
    return response
  }
  const visitor = createTestClient({ app: { request } as unknown as TestServer['app'] })

  await visitor.get('/api/auth/providers')
  await visitor.get('/api/auth/session')
  await visitor.get('/api/auth/signin?error=SessionRequired&callbackUrl=%2Fpatients')
  await visitor.signIn(user.email, 'greșită')
  await visitor.signIn(user.email)
  await visitor.get('/api/auth/second-factor')
  await visitor.post('/api/auth/callback/second-factor', { code: '000000' })
  await visitor.post('/api/auth/callback/second-factor', { code: authenticator.code(), callbackUrl: '/logs' })
  await visitor.get('/api/token')
  await visitor.post('/api/auth/callback/link', { token: 'x', password: 'x' })
  await visitor.post('/api/auth/signout', { callbackUrl: '/signout' })
  const { url } = await visitor.post('/api/auth/signin/oidc', { callbackUrl: '/patients' })
  const person = { sub: '1', email: user.email, email_verified: true }
  const back = await provider.visit(url.href, person)
  await visitor.get(back.pathname + back.search)
  await visitor.get(back.pathname + back.search)
  await provider.close()

  const seen = new Map<string, Set<string>>()
  for (const line of lines) {
    const [pair, ...attributes] = line.split('; ')
    const [name, value] = [pair!.split('=')[0]!, pair!.slice(pair!.indexOf('=') + 1)]
    const age = value === '' ? 0 : AGES[name]
    const rest = attributes.filter((attribute) => !attribute.startsWith('Expires=')).sort()
    expect([name, rest]).toEqual([name, ['HttpOnly', `Max-Age=${age}`, 'Path=/', 'SameSite=Lax', 'Secure']])
    seen.set(name, (seen.get(name) ?? new Set()).add(value === '' ? 'gone' : 'set'))
  }
  expect([...seen.keys()].sort()).toEqual(Object.keys(AGES).sort())
  for (const name of ['session', 'pending', 'pkce', 'state', 'nonce'])
    expect([name, seen.get(`__Host-dosar.${name}`)]).toEqual([name, new Set(['set', 'gone'])])
  const jar = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
  expect(jar.length).toBeLessThan(4096)
})
