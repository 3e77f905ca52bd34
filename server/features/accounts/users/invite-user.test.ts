import { describe, expect, it, onTestFinished } from 'vitest'
import { makeAccountLink, makeInstitution } from '../../../../db/factories.ts'
import { createTestClient } from '../../../../test/client.ts'
import { type MailServer, startMailServer } from '../../../../test/mail.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'
import { newId } from '../../../platform/ids.ts'
import { upsertSettings } from '../../site/site.db.ts'

const INVITE = `mutation ($invitation: UserInput!) { inviteUser(invitation: $invitation) {
  user { id email name role features status phone jobTitle institutions { name } invitationExpiresAt } link isMailed } }`
const RESEND = 'mutation ($id: ID!) { resendInvitation(userId: $id) { user { id status } link isMailed } }'
const PASSWORD = 'un drum lung spre casă'
const DAY_MS = 24 * 60 * 60 * 1000
const person = { email: 'Nou@Clinica.test', name: ' Ștefan  Ionescu ', role: 'staff' }

async function start(): Promise<TestServer & { mail: MailServer; admin: TestClient }> {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await createTestServer({ smtpUrl: mail.url })
  await createUser(server.db, { email: 'sefa@clinica.test', name: 'Ilinca Șerban', role: 'admin' })
  return { ...server, mail, admin: await server.signIn('sefa@clinica.test') }
}

const invite = (client: TestClient, invitation: Record<string, unknown> = {}) =>
  client.graphql(INVITE, { invitation: { ...person, ...invitation } })

async function followLink(server: TestServer, link: string | null) {
  const token = /^http:\/\/localhost:3000\/cont\/([\w-]{43})$/.exec(link!)![1]!
  const visitor = createTestClient(server)
  const { url } = await visitor.post('/api/auth/callback/link', { token, password: PASSWORD })
  const session = await (await visitor.get('/api/auth/session')).json()
  return { errorCode: url.searchParams.get('code'), user: session?.user }
}

describe('an invitation', () => {
  it('creates an account that its owner activates with the mailed link', async () => {
    const server = await start()
    const features = ['patient::files', 'admin::review-files', 'patient::files']
    const { data } = await invite(server.admin, { features, phone: '0722 123 456', jobTitle: 'Medic' })
    expect(data.inviteUser.user).toEqual({
      id: expect.any(String),
      email: 'nou@clinica.test',
      name: 'Ștefan Ionescu',
      role: 'staff',
      features: ['patient::files', 'admin::review-files'],
      status: 'invited',
      phone: '+40722123456',
      jobTitle: 'Medic',
      institutions: [],
      invitationExpiresAt: expect.any(String),
    })
    await server.runJobs()
    const { mail, link } = await server.mail.waitFor('nou@clinica.test')
    expect(mail.to).toEqual([{ name: 'Ștefan Ionescu', address: 'nou@clinica.test' }])
    expect(mail.text).toContain('Ilinca Șerban te invită în Dosar')
    const { user } = await followLink(server, link)
    expect(user).toMatchObject({
      id: data.inviteUser.user.id,
      role: 'staff',
      features: expect.arrayContaining(['patient::files']),
    })
    expect((await followLink(server, link)).errorCode).toBe('link')

    const rows = await server.db
      .selectFrom('audit_event')
      .where('subject_id', '=', data.inviteUser.user.id)
      .select(['action', 'outcome', 'actor_name', 'changes'])
      .orderBy('id')
      .execute()
    expect(rows[0]).toEqual({
      action: 'account.invite',
      outcome: 'ok',
      actor_name: 'Ilinca Șerban',
      changes: { name: { to: 'Ștefan Ionescu' }, email: { to: 'nou@clinica.test' } },
    })
  })

  it('assigns an institution user to the chosen institutions', async () => {
    const server = await start()
    const [one, other] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    const { data } = await invite(server.admin, { role: 'institution', institutionIds: [one.id, other.id] })
    expect(data.inviteUser.user.institutions).toEqual([one.name, other.name].sort().map((name) => ({ name })))
    await server.runJobs()
    const { user } = await followLink(server, (await server.mail.waitFor('nou@clinica.test')).link)
    expect([...user.institutions].sort()).toEqual([one.id, other.id].sort())
  })

  it('is rejected for an address that already has an account', async () => {
    const server = await start()
    await createUser(server.db, { email: 'nou@clinica.test' })
    const { errors } = await invite(server.admin)
    expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', fields: [{ field: 'email' }] })
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
  })

  it('is rejected with the name of each invalid field', async () => {
    const server = await start()
    const suspended = await makeInstitution(server.db, { suspended_at: new Date() })
    const institution = await makeInstitution(server.db)
    const cases: [Record<string, unknown>, string][] = [
      [{ email: 'a@b.ro,c@d.ro' }, 'email'],
      [{ email: ' ' }, 'email'],
      [{ name: ' \u200b' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ features: ['patient::everything'] }, 'features.0'],
      [{ role: 'admin', features: ['patient::files'] }, 'features'],
      [{ role: 'institution' }, 'institutionIds'],
      [{ role: 'institution', institutionIds: [newId()] }, 'institutionIds'],
      [{ role: 'institution', institutionIds: [institution.id, suspended.id] }, 'institutionIds'],
      [{ role: 'institution', institutionIds: ['x'] }, 'institutionIds.0'],
      [{ role: 'staff', institutionIds: [institution.id] }, 'institutionIds'],
      [{ phone: '12' }, 'phone'],
    ]
    for (const [invitation, field] of cases) {
      const { errors } = await invite(server.admin, invitation)
      expect([field, errors[0]?.extensions]).toMatchObject([
        field,
        { code: 'BAD_USER_INPUT', fields: [{ field }] },
      ])
    }
    expect(await server.db.selectFrom('app_user').select('email').execute()).toHaveLength(1)
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
  })

  it('rejects too many institutions or features with a Romanian message that names them', async () => {
    const server = await start()
    const cases = [
      [
        { role: 'institution', institutionIds: Array.from({ length: 101 }, newId) },
        'Alege cel mult 100 de instituții.',
      ],
      [{ features: Array(101).fill('patient::files') }, 'Alege cel mult 100 de drepturi.'],
    ] as const
    for (const [invitation, message] of cases) {
      const { errors } = await invite(server.admin, invitation)
      expect(errors[0]?.extensions.fields?.map((field) => field.message)).toEqual([message])
    }
  })

  it('can be sent only by administrators', async () => {
    const server = await start()
    const invited = await createUser(server.db, { email: 'invitat@clinica.test', status: 'invited' })
    for (const role of ['staff', 'institution'] as const) {
      await createUser(server.db, { email: `${role}@clinica.test`, role })
      const client = await server.signIn(`${role}@clinica.test`)
      for (const response of [await invite(client), await client.graphql(RESEND, { id: invited.id })])
        expect(response.errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  it('is created even if the mail server is down', async () => {
    const server = await start()
    await server.mail.stop()
    const { data } = await invite(server.admin)
    expect(data.inviteUser.user.status).toBe('invited')
    await expect(server.runJobs()).rejects.toThrow('mail not sent')
    expect(await server.db.selectFrom('message').select('state').execute()).toEqual([{ state: 'queued' }])
  })

  it('returns its link to the administrator; sending it again creates a new link', async () => {
    const server = await createTestServer()
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    const admin = await server.signIn('sefa@clinica.test')
    const { link: first, isMailed } = (await invite(admin)).data.inviteUser
    expect(isMailed).toBe(false)
    const { data } = await admin.graphql('{ users(search: "nou") { nodes { id } } }')
    const again = await admin.graphql(RESEND, { id: data.users.nodes[0].id })
    expect((await followLink(server, first)).errorCode).toBe('link')
    expect((await followLink(server, again.data.resendInvitation.link)).user.email).toBe('nou@clinica.test')
    expect(server.logged.join()).not.toContain(first.split('/').at(-1))
  })

  it('has no link if users sign in by the OpenID provider', async () => {
    const server = await start()
    await upsertSettings(server.db, { login_provider: 'oidc' })
    const { data } = await invite(server.admin)
    expect(data.inviteUser).toMatchObject({ link: null, isMailed: true })
    expect(data.inviteUser.user.invitationExpiresAt).toBeNull()
    await server.runJobs()
    expect((await server.mail.waitFor('nou@clinica.test')).link).toBe('http://localhost:3000')
    expect(await server.db.selectFrom('account_link').select('id').execute()).toEqual([])
  })
})

describe('an invitation sent again', () => {
  it('invalidates the earlier link', async () => {
    const server = await start()
    const { data } = await invite(server.admin)
    await server.runJobs()
    const earlier = await server.mail.waitFor('nou@clinica.test')
    const again = await server.admin.graphql(RESEND, { id: data.inviteUser.user.id })
    expect(again.data.resendInvitation.user).toEqual({ id: data.inviteUser.user.id, status: 'invited' })
    await server.runJobs()
    const later = await server.mail.waitFor('nou@clinica.test', 2)
    expect((await followLink(server, earlier.link)).errorCode).toBe('link')
    expect((await followLink(server, later.link)).user.email).toBe('nou@clinica.test')
  })

  it('invalidates the printed link of the first administrator, but not a reset link', async () => {
    const server = await start()
    const { id } = await createUser(server.db, {
      email: 'nou@clinica.test',
      role: 'admin',
      status: 'invited',
    })
    const printed = await makeAccountLink(server.db, { user_id: id, purpose: 'first-administrator' })
    await makeAccountLink(server.db, { user_id: id, purpose: 'reset' })
    await server.admin.graphql(RESEND, { id })
    expect((await followLink(server, `http://localhost:3000/cont/${printed}`)).errorCode).toBe('link')
    const open = await server.db
      .selectFrom('account_link')
      .where('expires_at', '>', new Date())
      .select('purpose')
      .orderBy('purpose')
      .execute()
    expect(open).toEqual([{ purpose: 'invitation' }, { purpose: 'reset' }])
  })

  it('is valid for seven days', async () => {
    const server = await start()
    const { id } = await createUser(server.db, { email: 'nou@clinica.test', status: 'invited' })
    await server.admin.graphql(RESEND, { id })
    await server.runJobs()
    const { link } = await server.mail.waitFor('nou@clinica.test')
    const { expires_at } = await server.db
      .selectFrom('account_link')
      .select('expires_at')
      .executeTakeFirstOrThrow()
    expect(Math.abs(expires_at.getTime() - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000)
    const past = new Date(expires_at.getTime() - 7 * DAY_MS - 60_000)
    await server.db.updateTable('account_link').set({ expires_at: past }).execute()
    expect((await followLink(server, link)).errorCode).toBe('link')
  })

  it('is rejected for an account that is not invited', async () => {
    const server = await start()
    for (const status of ['active', 'suspended'] as const) {
      const { id } = await createUser(server.db, { email: `${status}@clinica.test`, status })
      const { errors } = await server.admin.graphql(RESEND, { id })
      expect(errors[0]?.extensions.code).toBe('CONFLICT')
    }
    for (const id of [newId(), 'x']) {
      const { errors } = await server.admin.graphql(RESEND, { id })
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    }
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
  })
})
