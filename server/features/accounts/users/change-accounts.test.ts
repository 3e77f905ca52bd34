import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccountLink, makeInstitution } from '../../../../db/factories.ts'
import { createTestClient } from '../../../../test/client.ts'
import { lockUser } from '../../../../test/locks/user-lock.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { createUser } from '../../../../test/users.ts'
import { newId } from '../../../platform/ids.ts'
import { upsertSettings } from '../../site/site.db.ts'

const UPDATE = `mutation ($id: ID!, $version: Int!, $user: UserInput!) {
  updateUser(id: $id, version: $version, user: $user) { version email name role features institutions { id } } }`
const SUSPEND = 'mutation ($id: ID!) { suspendUser(userId: $id) { status } }'
const REACTIVATE = 'mutation ($id: ID!) { reactivateUser(userId: $id) { status invitationExpiresAt } }'
const CANCEL = 'mutation ($id: ID!) { cancelInvitation(userId: $id) }'
const ME = '{ me { role features } }'

let server: TestServer
let admin: TestClient & { id: string }
let serial = 0

type Over = Partial<Parameters<typeof createUser>[1]>

async function createPerson(over: Over = {}) {
  serial += 1
  return createUser(server.db, { email: `persoana-${serial}@clinica.test`, ...over })
}

async function createSignedInPerson(over: Over = {}) {
  const user = await createPerson(over)
  return { ...user, ...(await server.signIn(user.email)) }
}

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  admin = await createSignedInPerson({ role: 'admin', name: 'Ilinca Șerban' })
})

type Account = Awaited<ReturnType<typeof createPerson>>

const update = (client: TestClient, { id, email, name, role, version }: Account, change: object = {}) =>
  client.graphql(UPDATE, { id, version, user: { email, name, role, ...change } })

const codeOf = ({ errors }: Awaited<ReturnType<TestClient['graphql']>>) => errors[0]?.extensions.code
const fieldsOf = ({ errors }: Awaited<ReturnType<TestClient['graphql']>>) =>
  errors[0]?.extensions.fields?.map(({ field }) => field)

const readUser = (id: string) =>
  server.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst()

const lastEntry = (id: string) =>
  server.db
    .selectFrom('audit_event')
    .where('subject_id', '=', id)
    .select(['action', 'actor_name', 'changes'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const isSignedIn = async (client: TestClient) =>
  (await (await client.fetch('/api/auth/session')).json()) !== null

describe('changing an account', () => {
  it('gives the account its new rights immediately', async () => {
    const person = await createSignedInPerson({ role: 'staff', features: ['patient::share'] })
    const { data } = await update(admin, person, {
      name: ' Ștefan  Ionescu ',
      features: ['admin::review-files'],
      phone: '0722 123 456',
    })
    expect(data.updateUser).toEqual({
      version: 2,
      email: person.email,
      name: 'Ștefan Ionescu',
      role: 'staff',
      features: ['admin::review-files'],
      institutions: [],
    })
    expect((await person.graphql(ME)).data.me).toEqual({ role: 'staff', features: ['admin::review-files'] })
    expect(await lastEntry(person.id)).toEqual({
      action: 'account.change',
      actor_name: 'Ilinca Șerban',
      changes: {
        name: { from: person.name, to: 'Ștefan Ionescu' },
        phone: { from: null, to: '+40722123456' },
        features: { from: ['patient::share'], to: ['admin::review-files'] },
      },
    })
  })

  it('removes the features and institutions of the former role', async () => {
    const institution = await makeInstitution(server.db)
    const person = await createSignedInPerson({ role: 'staff', features: ['patient::share'] })
    const change = { role: 'institution', institutionIds: [institution.id] }
    const { data } = await update(admin, person, change)
    expect(data.updateUser).toMatchObject({ features: [], institutions: [{ id: institution.id }] })
    const back = await update(admin, (await readUser(person.id))!, { role: 'staff' })
    expect(back.data.updateUser).toMatchObject({ role: 'staff', features: [], institutions: [] })
    expect((await person.graphql(ME)).data.me).toEqual({ role: 'staff', features: [] })
  })

  it('rejects an outdated version, so that two administrators do not overwrite each other', async () => {
    const person = await createPerson()
    await update(admin, person, { name: 'Întâi' })
    expect(codeOf(await update(admin, person, { name: 'Apoi' }))).toBe('CONFLICT')
    expect((await readUser(person.id))?.name).toBe('Întâi')
  })

  it('keeps an institution suspended meanwhile, but accepts no other suspended one', async () => {
    const [kept, other] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    const person = await createPerson({ role: 'institution', institutionIds: [kept.id] })
    await server.db.updateTable('institution').set({ suspended_at: new Date() }).execute()
    const one = await update(admin, person, { institutionIds: [kept.id] })
    expect(one.errors).toEqual([])
    const two = await update(admin, (await readUser(person.id))!, { institutionIds: [kept.id, other.id] })
    expect(fieldsOf(two)).toEqual(['institutionIds'])
  })

  it('rejects an invalid value and names its field', async () => {
    const [person, other] = [await createPerson(), await createPerson()]
    const cases: [object, string][] = [
      [{ email: other.email.toUpperCase() }, 'email'],
      [{ email: 'nimic' }, 'email'],
      [{ name: ' ' }, 'name'],
      [{ role: 'admin', features: ['patient::files'] }, 'features'],
      [{ role: 'institution' }, 'institutionIds'],
      [{ phone: '12' }, 'phone'],
    ]
    for (const [change, field] of cases) {
      const response = await update(admin, person, change)
      expect([field, codeOf(response), fieldsOf(response)]).toEqual([field, 'BAD_USER_INPUT', [field]])
    }
    expect(await readUser(person.id)).toEqual(expect.objectContaining({ version: 1, email: person.email }))
  })

  it('rejects fields that the form does not have', async () => {
    const person = await createPerson({ status: 'suspended' })
    for (const more of [
      { role: 'owner' },
      { status: 'active' },
      { passwordHash: 'x' },
      { totpSecret: null },
      { id: admin.id },
    ]) {
      expect(codeOf(await update(admin, person, more))).toBe('BAD_USER_INPUT')
    }
    expect((await readUser(person.id))?.status).toBe('suspended')
  })

  it('is forbidden to other roles, also for their own account', async () => {
    const target = await createPerson({ status: 'invited' })
    for (const role of ['staff', 'institution'] as const) {
      const person = await createSignedInPerson({ role, institutionIds: [] })
      const responses = [
        await update(person, person, { role: 'admin' }),
        await update(person, target, { role: 'admin' }),
        await person.graphql(SUSPEND, { id: admin.id }),
        await person.graphql(REACTIVATE, { id: target.id }),
        await person.graphql(CANCEL, { id: target.id }),
        await person.graphql('{ users { nodes { id } } }'),
        await person.graphql(`{ user(id: "${target.id}") { id } }`),
      ]
      expect(responses.map(codeOf)).toEqual(Array(responses.length).fill('FORBIDDEN'))
      expect((await readUser(person.id))?.role).toBe(role)
    }
  })

  it('responds NOT_FOUND for an account that does not exist', async () => {
    for (const id of [newId(), 'x']) {
      const user = { ...(await createPerson()), id }
      const responses = [await update(admin, user), await admin.graphql(SUSPEND, { id })]
      responses.push(await admin.graphql(REACTIVATE, { id }), await admin.graphql(CANCEL, { id }))
      responses.push(await admin.graphql('query ($id: ID!) { user(id: $id) { id } }', { id }))
      expect(responses.map(codeOf)).toEqual(Array(5).fill('NOT_FOUND'))
    }
  })

  it('ends the sessions of an account without a second factor if the new role requires one', async () => {
    const otherServer = await createTestServer()
    const chief = await createUser(otherServer.db, { email: 'sefa@clinica.test', role: 'admin' })
    const person = await createUser(otherServer.db, { email: 'nou@clinica.test' })
    const [chiefClient, client] = [
      await otherServer.signIn(chief.email),
      await otherServer.signIn(person.email),
    ]
    await upsertSettings(otherServer.db, { second_factor_required: ['admin'] })
    await update(chiefClient, person, { name: 'Alt nume' })
    expect(await isSignedIn(client)).toBe(true)
    await update(chiefClient, { ...person, version: 2 }, { role: 'admin' })
    expect(await isSignedIn(client)).toBe(false)
  })
})

describe('changing the address of an account', () => {
  it('invalidates existing links and notifies the old and the new address', async () => {
    const person = await createPerson({ name: 'Matei Luca' })
    const token = await makeAccountLink(server.db, { user_id: person.id, purpose: 'reset' })
    const email = `alta-${person.email}`
    expect((await update(admin, person, { email })).data.updateUser.email).toBe(email)
    const visitor = createTestClient(server)
    const { url } = await visitor.post('/api/auth/callback/link', {
      token,
      password: 'un drum lung spre casă',
    })
    expect(url.searchParams.get('code')).toBe('link')
    const messages = await server.db
      .selectFrom('message')
      .where('about_id', '=', person.id)
      .select(['recipient', 'kind'])
      .orderBy('id')
      .execute()
    expect(messages).toEqual([
      { recipient: person.email, kind: 'address-changed' },
      { recipient: email, kind: 'address-changed' },
      { recipient: email, kind: 'reset' },
    ])
    expect((await createTestClient(server).signIn(person.email)).url.searchParams.get('code')).toBe(
      'credentials',
    )
  })

  it('removes all access of the previous owner and mails a link to the new one', async () => {
    const person = await createSignedInPerson()
    await server.db
      .insertInto('user_identity')
      .values({ provider: 'https://intrare.test', subject: person.id, user_id: person.id })
      .execute()
    await server.db
      .insertInto('passkey')
      .values({
        id: newId(),
        user_id: person.id,
        credential_id: Buffer.from(person.id),
        public_key: Buffer.from('x'),
        counter: 0,
        synced: false,
        name: 'Telefon',
      })
      .execute()
    await server.db
      .updateTable('app_user')
      .set({ totp_secret: Buffer.from('x') })
      .where('id', '=', person.id)
      .execute()
    const email = `corecta-${person.email}`
    expect((await update(admin, person, { email })).errors).toEqual([])
    expect(await isSignedIn(person)).toBe(false)
    for (const address of [person.email, email])
      expect((await createTestClient(server).signIn(address)).url.searchParams.get('code')).toBe(
        'credentials',
      )
    const identities = server.db.selectFrom('user_identity').where('user_id', '=', person.id).selectAll()
    expect(await identities.execute()).toEqual([])
    const passkeys = server.db.selectFrom('passkey').where('user_id', '=', person.id).selectAll()
    expect(await passkeys.execute()).toEqual([])
    expect((await readUser(person.id))?.totp_secret).toBeNull()
    const mailed = await server.db
      .selectFrom('account_link')
      .where('user_id', '=', person.id)
      .select(['purpose', 'used_at'])
      .execute()
    expect(mailed).toEqual([{ purpose: 'reset', used_at: null }])
    const token = await makeAccountLink(server.db, { user_id: person.id, purpose: 'reset' })
    await createTestClient(server).post('/api/auth/callback/link', {
      token,
      password: 'un drum lung spre casă',
    })
    expect((await readUser(person.id))?.password_hash).not.toBeNull()
  })

  it('sends an invited user no link before they are invited again', async () => {
    const person = await createPerson({ status: 'invited' })
    expect((await update(admin, person, { email: `alta-${person.email}` })).errors).toEqual([])
    const links = server.db.selectFrom('account_link').where('user_id', '=', person.id).selectAll()
    expect(await links.execute()).toEqual([])
  })

  it('is rejected for the actor’s own account, which an open session could otherwise take over', async () => {
    const chief = await createSignedInPerson({ role: 'admin' })
    expect(fieldsOf(await update(chief, chief, { email: 'a-mea@clinica.test' }))).toEqual(['email'])
    expect((await update(chief, chief, { name: 'Numele meu' })).data.updateUser.name).toBe('Numele meu')
  })
})

describe('the last administrator', () => {
  it('cannot suspend or demote themselves, and sees the reason', async () => {
    const alone = await createTestServer()
    const chief = await createUser(alone.db, { email: 'sefa@clinica.test', role: 'admin' })
    const client = await alone.signIn(chief.email)
    const suspended = await client.graphql(SUSPEND, { id: chief.id })
    expect([codeOf(suspended), suspended.errors[0]?.message]).toEqual([
      'FORBIDDEN',
      expect.stringContaining('doar alt administrator'),
    ])
    const demoted = await update(client, chief, { role: 'staff' })
    expect(demoted.errors[0]?.extensions.fields).toEqual([
      { field: 'role', message: expect.stringContaining('doar alt administrator') },
    ])
    expect(await isSignedIn(client)).toBe(true)
  })

  it.each([
    ['suspend', (client: TestClient, target: Account) => client.graphql(SUSPEND, { id: target.id })],
    ['demote', (client: TestClient, target: Account) => update(client, target, { role: 'staff' })],
  ])('remains when all administrators %s each other concurrently', async (_what, act) => {
    const otherServer = await createTestServer()
    const people = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        createUser(otherServer.db, { email: `${name}@clinica.test`, role: 'admin' }),
      ),
    )
    const clients = await Promise.all(people.map(({ email }) => otherServer.signIn(email)))
    // All requests, in a ring, wait for a lock before the first one proceeds.
    const locked = await lockUser(otherServer.db, people[0]!.id)
    const otherLock = await lockUser(otherServer.db, people[2]!.id)
    const responses = clients.map((client, place) => act(client, people[(place + 1) % people.length]!))
    await locked.waiters(4)
    await locked.release()
    await otherLock.release()
    const codes = (await Promise.all(responses)).map((response) => codeOf(response) ?? 'done')
    const left = await otherServer.db
      .selectFrom('app_user')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .select('id')
      .execute()
    expect(left.length).toBeGreaterThanOrEqual(1)
    expect(codes.filter((code) => code === 'done')).toHaveLength(people.length - left.length)
    expect(codes.filter((code) => !['done', 'FORBIDDEN', 'UNAUTHENTICATED'].includes(code))).toEqual([])
  })

  it.each([
    ['the removal of a second factor', 'mutation ($id: ID!) { removeSecondFactor(userId: $id) }'],
    ['a password reset', 'mutation ($id: ID!) { sendPasswordReset(userId: $id) { id } }'],
    ['an invitation sent again', 'mutation ($id: ID!) { resendInvitation(userId: $id) { link } }'],
    [
      'a new account',
      `mutation { inviteUser(invitation: { email: "nou@clinica.test", name: "Nou Venit", role: staff }) { link } }`,
    ],
  ])('who was demoted meanwhile cannot carry out %s', async (_what, mutation) => {
    const former = await createSignedInPerson({ role: 'admin' })
    const person = await createPerson({
      status: mutation.includes('resendInvitation') ? 'invited' : 'active',
      totp_secret: Buffer.from('secret'),
    })
    const locked = await lockUser(server.db, former.id)
    await locked.db.updateTable('app_user').set({ role: 'staff' }).where('id', '=', former.id).execute()
    const response = former.graphql(mutation, { id: person.id })
    await locked.waiters(1)
    await locked.release()
    expect(codeOf(await response)).toBe('FORBIDDEN')
    expect(await lastEntry(person.id)).toBeUndefined()
    expect(
      await server.db.selectFrom('message').select('id').where('about_id', '=', person.id).execute(),
    ).toEqual([])
  })

  it('is the first of two administrators who act on each other', async () => {
    const otherServer = await createTestServer()
    const [one, two] = [
      await createUser(otherServer.db, { email: 'a@clinica.test', role: 'admin' }),
      await createUser(otherServer.db, { email: 'b@clinica.test', role: 'admin' }),
    ]
    const clients = [await otherServer.signIn(one.email), await otherServer.signIn(two.email)]
    const locked = await lockUser(otherServer.db, one.id)
    const responses = [
      clients[0]!.graphql(SUSPEND, { id: two.id }),
      update(clients[1]!, one, { role: 'staff' }),
    ]
    await locked.waiters(2)
    await locked.release()
    const codes = (await Promise.all(responses)).map((response) => codeOf(response) ?? 'done')
    expect([
      ['done', 'UNAUTHENTICATED'],
      ['FORBIDDEN', 'done'],
    ]).toContainEqual(codes)
  })
})

describe('a suspended account', () => {
  it('is active again after reactivation, with a new sign-in', async () => {
    const person = await createSignedInPerson()
    expect((await admin.graphql(SUSPEND, { id: person.id })).data.suspendUser.status).toBe('suspended')
    expect(await lastEntry(person.id)).toMatchObject({
      action: 'account.suspend',
      changes: { status: { from: 'active', to: 'suspended' } },
    })
    expect(codeOf(await admin.graphql(SUSPEND, { id: person.id }))).toBe('CONFLICT')
    expect((await createTestClient(server).signIn(person.email)).url.searchParams.get('code')).toBe(
      'credentials',
    )
    const back = await admin.graphql(REACTIVATE, { id: person.id })
    expect(back.data.reactivateUser.status).toBe('active')
    expect(await lastEntry(person.id)).toMatchObject({ action: 'account.reactivate' })
    expect(codeOf(await admin.graphql(REACTIVATE, { id: person.id }))).toBe('CONFLICT')
    expect(await isSignedIn(person)).toBe(false)
    expect((await createTestClient(server).signIn(person.email)).url.search).toBe('')
  })

  it('is invited again if it was never used, and its old link stays invalid', async () => {
    const person = await createPerson({ status: 'invited' })
    const token = await makeAccountLink(server.db, { user_id: person.id, purpose: 'invitation' })
    await admin.graphql(SUSPEND, { id: person.id })
    const { data } = await admin.graphql(REACTIVATE, { id: person.id })
    expect(data.reactivateUser).toEqual({ status: 'invited', invitationExpiresAt: null })
    expect((await admin.graphql(`{ accountLink(token: "${token}") { name } }`)).data.accountLink).toBeNull()
  })

  it('is active again without a password if its user signs in by the provider', async () => {
    const person = await createPerson({ password_hash: null })
    const identity = { provider: 'https://id.exemplu.test', subject: person.id, user_id: person.id }
    await server.db.insertInto('user_identity').values(identity).execute()
    await admin.graphql(SUSPEND, { id: person.id })
    expect((await admin.graphql(REACTIVATE, { id: person.id })).data.reactivateUser.status).toBe('active')
  })
})

describe('cancelling an invitation', () => {
  it('deletes the account and its link, and frees the address', async () => {
    const person = await createPerson({ status: 'invited', name: 'Greșit Scris' })
    const token = await makeAccountLink(server.db, { user_id: person.id, purpose: 'invitation' })
    expect((await admin.graphql(CANCEL, { id: person.id })).data.cancelInvitation).toBe(true)
    expect(await readUser(person.id)).toBeUndefined()
    const visitor = createTestClient(server)
    const { url } = await visitor.post('/api/auth/callback/link', {
      token,
      password: 'un drum lung spre casă',
    })
    expect(url.searchParams.get('code')).toBe('link')
    expect(await lastEntry(person.id)).toMatchObject({
      action: 'account.cancel-invitation',
      changes: { name: { from: 'Greșit Scris' }, email: { from: person.email } },
    })
    await createUser(server.db, { email: person.email })
  })

  it('is rejected if the account has been used, even concurrently', async () => {
    for (const status of ['active', 'suspended'] as const) {
      expect(codeOf(await admin.graphql(CANCEL, { id: (await createPerson({ status })).id }))).toBe(
        'CONFLICT',
      )
    }
    const person = await createPerson({ status: 'invited' })
    const token = await makeAccountLink(server.db, { user_id: person.id, purpose: 'invitation' })
    const locked = await lockUser(server.db, person.id)
    const visitor = createTestClient(server)
    const used = visitor.post('/api/auth/callback/link', { token, password: 'un drum lung spre casă' })
    await locked.waiters(1)
    const cancelled = admin.graphql(CANCEL, { id: person.id })
    await locked.waiters(2)
    await locked.release()
    expect((await used).url.search).toBe('')
    expect(codeOf(await cancelled)).toBe('CONFLICT')
  })
})

describe('the list of accounts', () => {
  it('is searched and filtered by the server, page by page', async () => {
    const otherServer = await createTestServer()
    const institution = await makeInstitution(otherServer.db, { name: 'Clinica Mare', short_name: 'CM' })
    await createUser(otherServer.db, { email: 'sefa@clinica.test', role: 'admin', name: 'Ilinca Șerban' })
    await createUser(otherServer.db, { email: 'stefan@clinica.test', name: 'ȘTEFAN Țurcanu' })
    await createUser(otherServer.db, {
      email: 'ana@clinica.test',
      name: 'Ana Stefania Pop',
      status: 'suspended',
    })
    await createUser(otherServer.db, {
      email: 'z@mare.test',
      name: 'Zoe Ștefănescu',
      role: 'institution',
      status: 'invited',
      institutionIds: [institution.id],
    })
    const client = await otherServer.signIn('sefa@clinica.test')
    const LIST = `query ($search: String, $role: Role, $status: AccountStatus, $institutionId: ID, $after: String, $first: Int) {
      users(search: $search, role: $role, status: $status, institutionId: $institutionId, after: $after, first: $first) {
        endCursor nodes { email institutions { name } } } }`
    const list = async (args: object) =>
      (await client.graphql(LIST, { ...args })).data.users.nodes.map(({ email }: { email: string }) => email)

    expect(await list({ search: 'Stefan' })).toEqual([
      'ana@clinica.test',
      'stefan@clinica.test',
      'z@mare.test',
    ])
    expect(await list({ search: 'ștefan ȚURC' })).toEqual(['stefan@clinica.test'])
    expect(await list({ search: '@mare.test' })).toEqual(['z@mare.test'])
    expect(await list({ search: '%' })).toHaveLength(4)
    expect(await list({ search: 'nimeni' })).toEqual([])
    expect(await list({ search: 'stefan', status: 'suspended' })).toEqual(['ana@clinica.test'])
    expect(await list({ role: 'admin' })).toEqual(['sefa@clinica.test'])
    expect(await list({ institutionId: institution.id })).toEqual(['z@mare.test'])
    expect(await list({ institutionId: newId() })).toEqual([])

    const first = (await client.graphql(LIST, { search: 'stefan', first: 2 })).data.users
    expect(first.nodes).toHaveLength(2)
    const rest = (await client.graphql(LIST, { search: 'stefan', first: 2, after: first.endCursor })).data
      .users
    expect(rest).toEqual({
      endCursor: null,
      nodes: [{ email: 'z@mare.test', institutions: [{ name: 'CM' }] }],
    })

    for (const wrong of [{ role: 'owner' }, { status: 'gone' }, { institutionId: 'x' }])
      expect(codeOf(await client.graphql(LIST, wrong))).toBe('BAD_USER_INPUT')
  })

  it('is ordered by status, name, role or last sign-in, page by page', async () => {
    const otherServer = await createTestServer()
    const signedIn = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    for (const [email, user] of Object.entries({
      'admin@a.test': { name: 'Zamfir Ana', role: 'admin', last_sign_in_at: signedIn(10) },
      'b@a.test': { name: 'Șerban Ion', status: 'suspended', last_sign_in_at: signedIn(9) },
      'c@a.test': { name: 'Serea Ioana', status: 'invited' },
      'd@a.test': { name: 'ababei Dan', last_sign_in_at: signedIn(8) },
      'e@a.test': { name: 'Țurcanu Eva', status: 'invited' },
    } as const))
      await createUser(otherServer.db, { email, ...user })
    const client = await otherServer.signIn('admin@a.test')
    const LIST = `query ($order: AccountOrder, $after: String) {
      users(order: $order, after: $after, first: 2) { endCursor nodes { email } } }`
    const readAll = async (order: string | null) => {
      const names: string[] = []
      let after: string | null = null
      do {
        const { data } = await client.graphql(LIST, { order, after })
        names.push(...data.users.nodes.map(({ email }: { email: string }) => email.slice(0, 1)))
        after = data.users.endCursor
      } while (after)
      return names.join('')
    }

    expect(await readAll('status')).toBe('daceb')
    expect(await readAll('name')).toBe('dbcea')
    expect(await readAll('role')).toBe('adbce')
    expect(await readAll('last_sign_in')).toMatch(/^abd(ce|ec)$/)
    expect(await readAll('email')).toBe('abcde')
    expect(await readAll(null)).toBe('abcde')

    const { data } = await client.graphql(LIST, { order: 'name' })
    const wrong = await client.graphql(LIST, { order: 'last_sign_in', after: data.users.endCursor })
    expect(codeOf(wrong)).toBe('BAD_USER_INPUT')
  })
})
