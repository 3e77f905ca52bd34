import { expect, it } from 'vitest'
import { createTestClient } from '../../../../test/client.ts'
import { createAuthenticator } from '../../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'
import { createSystemContext } from '../../../context.ts'
import { createFirstAdministrator } from './create-first-administrator.ts'

const PASSWORD = 'un drum lung spre casă'

function start({ services }: TestServer, email = services.config.adminEmail) {
  return createFirstAdministrator(createSystemContext(services), email)
}

const followLink = async (server: TestServer, token: string) => {
  const visitor = createTestClient(server)
  const { url } = await visitor.post('/api/auth/callback/link', { token, password: PASSWORD })
  return { error: url.searchParams.get('code'), visitor }
}

it('invites the first administrator of an empty database, who sets a password and a second factor', async () => {
  const server = await createTestServer()
  const first = await start(server, 'sefa@clinica.test')
  expect(first?.email).toBe('sefa@clinica.test')
  const { visitor, error } = await followLink(server, first!.token)
  expect(error).toBe('second-factor-setup')
  expect(await visitor.json('/api/auth/session')).toBeNull()
  const { secret } = await visitor.json('/api/auth/second-factor')
  await visitor.post('/api/auth/callback/second-factor', { code: createAuthenticator(secret).code() })
  const session = await (await visitor.get('/api/auth/session')).json()
  expect(session.user).toMatchObject({ email: 'sefa@clinica.test', role: 'admin' })
  expect(session.user.features).toContain('admin::review-files')
  expect(await start(server)).toBeNull()
})

it('creates a new link at every start until one is used, and invalidates older ones', async () => {
  const server = await createTestServer()
  const first = await start(server)
  const second = await start(server, 'alta@clinica.test')
  expect(second?.email).toBe(first?.email)
  expect(await server.db.selectFrom('app_user').select('id').execute()).toHaveLength(1)
  expect((await followLink(server, first!.token)).error).toBe('link')
  expect((await followLink(server, second!.token)).error).toBe('second-factor-setup')
})

it('creates one administrator when several servers start at once', async () => {
  const server = await createTestServer()
  const started = await Promise.all(Array.from({ length: 5 }, () => start(server)))
  expect(started.every((result) => result !== null)).toBe(true)
  expect(await server.db.selectFrom('app_user').select('id').execute()).toHaveLength(1)
  expect(await server.db.selectFrom('account_link').select('id').execute()).toHaveLength(1)
})

it('does nothing if any account exists, even an unused one', async () => {
  const server = await createTestServer()
  await createUser(server.db, { email: 'invitat@clinica.test', role: 'admin', status: 'invited' })
  expect(await start(server)).toBeNull()
})

it('requires a second factor of administrators and reviewers in a new organisation only', async () => {
  const required = async (server: TestServer, email: string) =>
    (await createTestClient(server).signIn(email)).url.searchParams.get('code')
  const people = [
    ['sefa@clinica.test', 'admin', []],
    ['verificare@clinica.test', 'staff', ['patient::files', 'admin::review-files']],
    ['registratura@clinica.test', 'staff', ['patient::files']],
    ['clinica@clinica.test', 'institution', []],
  ] as const
  const dues = async (server: TestServer) => {
    for (const [email, role, features] of people)
      await createUser(server.db, { email, role, features: [...features] })
    return Promise.all(people.map(([email]) => required(server, email)))
  }
  const created = await createTestServer()
  await start(created)
  expect(await dues(created)).toEqual(['second-factor-setup', 'second-factor-setup', null, null])

  const former = await createTestServer()
  await createUser(former.db, { email: 'prima@clinica.test', role: 'admin' })
  await start(former)
  expect(await dues(former)).toEqual([null, null, null, null])
})
