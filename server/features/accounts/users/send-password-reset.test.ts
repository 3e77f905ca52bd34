import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestClient } from '../../../../test/client.ts'
import { startMailServer } from '../../../../test/mail.ts'
import { createTestServer } from '../../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../../test/users.ts'
import { newId } from '../../../platform/ids.ts'
import { upsertSettings } from '../../site/site.db.ts'

const SEND = 'mutation ($id: ID!) { sendPasswordReset(userId: $id) { id email status } }'
const PASSWORD = 'un drum lung spre casă'
const EMAIL = 'ana@clinica.test'

async function start() {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await createTestServer({ smtpUrl: mail.url })
  const admin = await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
  return { ...server, mail, adminId: admin.id, admin: await server.signIn('sefa@clinica.test') }
}

const tokenOf = (link: string | null) => /^http:\/\/localhost:3000\/cont\/([\w-]{43})$/.exec(link!)![1]!

describe('a password reset sent by an administrator', () => {
  it('reaches a blocked user, even right after a requested reset', async () => {
    const server = await start()
    const { id } = await createUser(server.db, { email: EMAIL })
    await server.app.request('/api/password-reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL }),
    })
    await server.runJobs()
    const earlier = await server.mail.waitFor(EMAIL)
    for (let n = 0; n < 6; n++) await createTestClient(server).signIn(EMAIL, 'greșită')

    const { data } = await server.admin.graphql(SEND, { id })
    expect(data.sendPasswordReset).toEqual({ id, email: EMAIL, status: 'active' })
    await server.runJobs()
    const later = await server.mail.waitFor(EMAIL, 2)
    const follow = async (link: string | null) => {
      const form = { token: tokenOf(link), password: PASSWORD }
      return (await createTestClient(server).post('/api/auth/callback/link', form)).url.searchParams.get(
        'code',
      )
    }
    expect(await follow(earlier.link)).toBe('link')
    expect(await follow(later.link)).toBeNull()
    expect((await createTestClient(server).signIn(EMAIL, PASSWORD)).url.search).toBe('')
    const rows = await server.db
      .selectFrom('audit_event')
      .where('action', '=', 'account.send-reset')
      .select(['actor_id', 'subject_id', 'outcome'])
      .execute()
    expect(rows).toEqual([{ actor_id: server.adminId, subject_id: id, outcome: 'ok' }])
    expect(server.logged.join('')).not.toContain(tokenOf(later.link))
  })

  it('changes nothing until its link is used', async () => {
    const server = await start()
    const { id } = await createUser(server.db, { email: EMAIL })
    const owner = await server.signIn(EMAIL)
    await server.admin.graphql(SEND, { id })
    expect((await owner.graphql('{ me { id } }')).data.me.id).toBe(id)
    expect((await createTestClient(server).signIn(EMAIL, TEST_PASSWORD)).url.search).toBe('')
  })

  it('is rejected for accounts that are not active or may not use a password', async () => {
    const server = await start()
    const errorCodes: unknown[] = []
    const send = async (id: string) =>
      errorCodes.push((await server.admin.graphql(SEND, { id })).errors[0]?.extensions.code)
    for (const status of ['invited', 'suspended'] as const)
      await send((await createUser(server.db, { email: `${status}@clinica.test`, status })).id)
    for (const id of [newId(), 'x']) await send(id)
    const { id } = await createUser(server.db, { email: EMAIL })
    await upsertSettings(server.db, { login_provider: 'oidc' })
    await send(id)
    expect(errorCodes).toEqual(['CONFLICT', 'CONFLICT', 'NOT_FOUND', 'NOT_FOUND', 'CONFLICT'])
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
    expect(await server.db.selectFrom('account_link').select('id').execute()).toEqual([])
  })

  it('is forbidden to other roles', async () => {
    const server = await start()
    const { id } = await createUser(server.db, { email: EMAIL })
    for (const role of ['staff', 'institution'] as const) {
      await createUser(server.db, { email: `${role}@clinica.test`, role })
      const client = await server.signIn(`${role}@clinica.test`)
      expect((await client.graphql(SEND, { id })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })
})
