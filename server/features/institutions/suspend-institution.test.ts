import { expect, it, onTestFinished } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient, makeReferral } from '../../../db/factories.ts'
import { createTestClient } from '../../../test/client.ts'
import { startMailServer } from '../../../test/mail.ts'
import { startOpenIdProvider } from '../../../test/openid-provider.ts'
import { createTestServer, type GraphqlResponse, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../site/site.db.ts'

const FIELDS = 'id version suspendedAt can { edit suspend reactivate }'
const SUSPEND = `mutation ($id: ID!, $version: Int!) { suspendInstitution(id: $id, version: $version) { ${FIELDS} } }`
const REACTIVATE = `mutation ($id: ID!, $version: Int!) {
  reactivateInstitution(id: $id, version: $version) { ${FIELDS} } }`
const READ = `query ($id: ID!) { institution(id: $id) { ${FIELDS} } }`
const PREVIEW = 'query ($id: ID!) { institutionSuspension(id: $id) { losing keeping waiting } }'
const INVITE = `mutation ($invitation: UserInput!) { inviteUser(invitation: $invitation) { link user { id } } }`
const RESEND = 'mutation ($id: ID!) { resendInvitation(userId: $id) { link } }'
const RESET = 'mutation ($id: ID!) { sendPasswordReset(userId: $id) { id } }'
const USER = 'query ($id: ID!) { user(id: $id) { status isShutOut institutions { id isSuspended } } }'
const UPDATE_USER = `mutation ($id: ID!, $version: Int!, $user: UserInput!) {
  updateUser(id: $id, version: $version, user: $user) { version } }`
const REFER = `mutation ($referral: ReferralInput!) {
  createReferral(referral: $referral) { referrals { institutionId institutionSuspended } } }`
const BEGIN = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id version } }'
const EDIT = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
  editUpload(id: $id, version: $version, upload: $upload) { version institution { id isSuspended } } }`

async function start(over: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(over)
  await createUser(server.db, { email: 'sefa@clinica.test', name: 'Ilinca Șerban', role: 'admin' })
  const admin = await server.signIn('sefa@clinica.test')
  const institution = await makeInstitution(server.db)
  const suspend = (version = 1) => admin.graphql(SUSPEND, { id: institution.id, version })
  const reactivate = (version = 2) => admin.graphql(REACTIVATE, { id: institution.id, version })
  return { ...server, admin, institution, suspend, reactivate }
}

const codeOf = ({ errors }: GraphqlResponse) => errors[0]?.extensions.code
const fieldsOf = ({ errors }: GraphqlResponse) => errors[0]?.extensions.fields?.map(({ field }) => field)

const entriesOf = ({ db }: TestServer, id: string) =>
  db
    .selectFrom('audit_event')
    .where('subject_id', '=', id)
    .where('action', 'like', 'institution.%')
    .where('action', '<>', 'institution.read')
    .select(['action', 'actor_name', 'changes'])
    .orderBy('id')
    .execute()

it('an administrator suspends and reactivates an institution, each once, with the current version', async () => {
  const server = await start()
  const { institution, suspend, reactivate } = server
  const person = { role: 'institution' as const, institutionIds: [institution.id] }
  await createUser(server.db, { email: 'unu@clinica.test', ...person })
  await createUser(server.db, { email: 'doi@clinica.test', ...person })
  expect(codeOf(await suspend(7))).toBe('CONFLICT')
  const { data } = await suspend()
  const { suspendedAt } = data.suspendInstitution
  expect(data.suspendInstitution).toMatchObject({
    version: 2,
    suspendedAt: expect.any(String),
    can: { edit: true, suspend: false, reactivate: true },
  })
  expect((await suspend(2)).errors[0]?.message).toBe('Instituția este deja suspendată.')
  expect(codeOf(await reactivate(1))).toBe('CONFLICT')
  expect((await reactivate()).data.reactivateInstitution).toMatchObject({
    version: 3,
    suspendedAt: null,
    can: { suspend: true, reactivate: false },
  })
  expect((await reactivate(3)).errors[0]?.message).toBe('Instituția nu mai este suspendată.')
  const actor = { actor_name: 'Ilinca Șerban' }
  expect(await entriesOf(server, institution.id)).toEqual([
    {
      ...actor,
      action: 'institution.suspend',
      changes: { suspended_at: { to: suspendedAt }, shut_out: { to: 2 } },
    },
    {
      ...actor,
      action: 'institution.reactivate',
      changes: { suspended_at: { from: suspendedAt, to: null } },
    },
  ])
})

it('only administrators suspend institutions, and staff see which are suspended [6.4]', async () => {
  const { db, signIn, institution, suspend } = await start()
  const { id } = institution
  for (const role of ['staff', 'institution'] as const) {
    const email = `${role}@clinica.test`
    await createUser(db, { email, role, institutionIds: role === 'staff' ? [] : [id] })
    const client = await signIn(email)
    const responses = [
      await client.graphql(SUSPEND, { id, version: 1 }),
      await client.graphql(REACTIVATE, { id, version: 1 }),
      await client.graphql(PREVIEW, { id }),
    ]
    expect(responses.map(codeOf)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  }
  await suspend()
  const staff = await signIn('staff@clinica.test')
  expect((await staff.graphql(READ, { id })).data.institution).toMatchObject({
    suspendedAt: expect.any(String),
    can: { suspend: false, reactivate: false },
  })
})

it('the preview counts accounts losing access, accounts keeping it, and unreleased results', async () => {
  const { db, admin, institution, suspend } = await start()
  const [other, closed] = [await makeInstitution(db), await makeInstitution(db, { suspended_at: new Date() })]
  const people = {
    'unu@clinica.test': [institution.id],
    'doi@clinica.test': [institution.id, closed.id],
    'trei@clinica.test': [institution.id, other.id],
    'patru@clinica.test': [other.id],
  }
  for (const [email, institutionIds] of Object.entries(people))
    await createUser(db, { email, role: 'institution', institutionIds })
  await createUser(db, {
    email: 'plecat@clinica.test',
    role: 'institution',
    status: 'suspended',
    institutionIds: [institution.id],
  })
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
  const author = await createUser(db, { email: 'autor@clinica.test' })
  for (const state of ['receiving', 'in_review', 'accepted', 'released', 'withdrawn'] as const) {
    const upload = { created_by: author.id, patient_id: patient.id, institution_id: institution.id }
    await makeEmptyUpload(db, { ...upload, state })
  }
  const { data } = await admin.graphql(PREVIEW, { id: institution.id })
  expect(data.institutionSuspension).toEqual({ losing: 2, keeping: 1, waiting: 2 })
  await suspend()
  expect((await admin.graphql(PREVIEW, { id: institution.id })).data.institutionSuspension.losing).toBe(2)
})

it('an invitation sent before the suspension is neither mailed nor valid, also after the reactivation', async () => {
  const server = await start()
  const { db, admin, institution, suspend, reactivate, runJobs } = server
  const invitation = {
    email: 'noua@clinica.test',
    name: 'Noua Colegă',
    role: 'institution',
    institutionIds: [institution.id],
  }
  const invited = (await admin.graphql(INVITE, { invitation })).data.inviteUser
  const token = invited.link.split('/').at(-1)
  const { id } = invited.user
  await suspend()
  expect((await admin.graphql(USER, { id })).data.user).toEqual({
    status: 'invited',
    isShutOut: true,
    institutions: [{ id: institution.id, isSuspended: true }],
  })
  expect(await db.selectFrom('message').select(['state', 'last_error', 'body']).execute()).toEqual([
    { state: 'failed', last_error: 'suspended', body: null },
  ])
  const accept = async () =>
    (
      await createTestClient(server).post('/api/auth/callback/link', {
        token,
        password: 'un drum lung spre casă',
      })
    ).url.searchParams.get('code')
  expect(await accept()).toBe('link')
  expect(codeOf(await admin.graphql(RESEND, { id }))).toBe('CONFLICT')
  const another = { ...invitation, email: 'alta@clinica.test' }
  expect(fieldsOf(await admin.graphql(INVITE, { invitation: another }))).toEqual(['institutionIds'])
  await reactivate()
  expect(await accept()).toBe('link')
  const { data } = await admin.graphql(RESEND, { id })
  await runJobs()
  const client = createTestClient(server)
  await client.post('/api/auth/callback/link', {
    token: data.resendInvitation.link.split('/').at(-1),
    password: 'un drum lung spre casă',
  })
  expect(await (await client.get('/api/auth/session')).json()).not.toBeNull()
})

it('users of a suspended institution get no mail except about a changed address', async () => {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await start({ smtpUrl: mail.url })
  const { app, db, admin, institution, suspend, reactivate, runJobs } = server
  const person = await createUser(db, {
    email: 'pleaca@clinica.test',
    role: 'institution',
    institutionIds: [institution.id],
  })
  await admin.graphql(RESET, { id: person.id })
  await suspend()
  expect(codeOf(await admin.graphql(RESET, { id: person.id }))).toBe('CONFLICT')
  const body = JSON.stringify({ email: person.email })
  const headers = { 'content-type': 'application/json' }
  expect((await app.request('/api/password-reset', { method: 'POST', body, headers })).status).toBe(202)
  const changed = await admin.graphql(UPDATE_USER, {
    id: person.id,
    version: 1,
    user: {
      email: 'mutat@clinica.test',
      name: person.name,
      role: 'institution',
      institutionIds: [institution.id],
    },
  })
  expect(changed.errors).toEqual([])
  await runJobs()
  const recipients = mail.arrived.flatMap((message) => message.recipients)
  expect(recipients.sort()).toEqual(['mutat@clinica.test', 'pleaca@clinica.test'])
  expect(
    await db.selectFrom('message').select(['kind', 'state', 'last_error']).orderBy('id').execute(),
  ).toEqual([
    { kind: 'reset', state: 'failed', last_error: 'suspended' },
    { kind: 'address-changed', state: 'sent', last_error: null },
    { kind: 'address-changed', state: 'sent', last_error: null },
  ])
  await reactivate()
  await admin.graphql(RESET, { id: person.id })
  await runJobs()
  expect(mail.arrived.slice(2).map(({ recipients }) => recipients)).toEqual([['mutat@clinica.test']])
})

it('a suspension during a sign-in with the organisation’s OpenID provider rejects the sign-in', async () => {
  const provider = await startOpenIdProvider('http://localhost:3000')
  onTestFinished(() => provider.close())
  const server = await start({ oidc: provider.config })
  const { db, institution, suspend, reactivate } = server
  await upsertSettings(db, { login_provider: 'oidc' })
  const email = 'pleaca@casa.test'
  const { id } = await createUser(db, { email, role: 'institution', institutionIds: [institution.id] })
  const client = createTestClient(server)
  const begin = async () => {
    const { url } = await client.post('/api/auth/signin/oidc', { callbackUrl: '/institution' })
    return provider.visit(url.href, { sub: 'pleaca', email, email_verified: true })
  }
  const finish = async ({ pathname, search }: URL) =>
    (await client.get(pathname + search)).headers.get('location')
  const response = await begin()
  await suspend()
  expect(await finish(response)).toBe('http://localhost:3000/?error=AccessDenied')
  expect(await db.selectFrom('user_identity').where('user_id', '=', id).select('user_id').execute()).toEqual(
    [],
  )
  await reactivate()
  expect(await finish(await begin())).toBe('http://localhost:3000/institution')
})

it('a suspended institution gets no new referral or upload, and its existing uploads still name it', async () => {
  const { db, signIn, institution, suspend, reactivate } = await start()
  const author = await createUser(db, { email: 'registratura@clinica.test' })
  const staff = await signIn(author.email)
  const [patient, other] = [await makePatient(db), await makeInstitution(db)]
  for (const { id } of [institution, other])
    await makeReferral(db, { patient_id: patient.id, institution_id: id })
  const details = (institutionId: string, title = 'Analize') => ({
    patientId: patient.id,
    institutionId,
    title,
  })
  const { data } = await staff.graphql(BEGIN, { upload: details(institution.id) })
  const { id } = data.createUpload
  const refer = () =>
    staff.graphql(REFER, { referral: { patientId: patient.id, institutionId: institution.id } })
  const begin = () => staff.graphql(BEGIN, { upload: details(institution.id) })
  await suspend()
  for (const response of [await refer(), await begin()]) {
    expect([codeOf(response), fieldsOf(response)]).toEqual(['BAD_USER_INPUT', ['institutionId']])
    expect(response.errors[0]?.message).toContain('Instituția este suspendată')
  }
  const edited = await staff.graphql(EDIT, { id, version: 1, upload: details(institution.id, 'Alt titlu') })
  expect(edited.data.editUpload.institution).toEqual({ id: institution.id, isSuspended: true })
  const moved = await staff.graphql(EDIT, { id, version: 2, upload: details(other.id) })
  expect(moved.data.editUpload.institution).toEqual({ id: other.id, isSuspended: false })
  expect(fieldsOf(await staff.graphql(EDIT, { id, version: 3, upload: details(institution.id) }))).toEqual([
    'institutionId',
  ])
  await reactivate()
  expect((await refer()).errors).toEqual([])
  expect((await begin()).errors).toEqual([])
})

it('a user left with suspended institutions is signed out; concurrent suspensions do not deadlock', async () => {
  const { db, admin, signIn, institution, suspend, reactivate } = await start()
  const other = await makeInstitution(db)
  const both = { role: 'institution' as const, institutionIds: [institution.id, other.id] }
  const moved = await createUser(db, { email: 'mutat@clinica.test', ...both })
  const stays = await createUser(db, { email: 'ramane@clinica.test', ...both })
  const clients = [await signIn(moved.email), await signIn(stays.email)]
  const isIn = () =>
    Promise.all(
      clients.map(async (client) => (await (await client.fetch('/api/auth/session')).json()) !== null),
    )
  await suspend()
  expect(await isIn()).toEqual([true, true])
  const { email, name, role } = moved
  const user = { email, name, role, institutionIds: [institution.id] }
  expect((await admin.graphql(UPDATE_USER, { id: moved.id, version: 1, user })).errors).toEqual([])
  expect(await isIn()).toEqual([false, true])
  await reactivate()
  expect(await isIn()).toEqual([false, true])

  const responses = await Promise.all([
    suspend(3),
    admin.graphql(SUSPEND, { id: other.id, version: 1 }),
    admin.graphql(UPDATE_USER, {
      id: stays.id,
      version: 1,
      user: { ...user, email: stays.email, name: 'Alt nume' },
    }),
  ])
  for (const response of responses) expect([undefined, 'BAD_USER_INPUT']).toContain(codeOf(response))
  await admin.graphql(REACTIVATE, { id: institution.id, version: 4 })
  expect(await isIn()).toEqual([false, false])
})
