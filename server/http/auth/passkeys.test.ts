import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestClient } from '../../../test/client.ts'
import { createPasskey } from '../../../test/passkey.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

const ADD = `mutation ($name: String!, $response: JSON!) {
  addPasskey(name: $name, response: $response) { recoveryCodes } }`
const PROVE = 'mutation ($passkey: JSON) { proveIdentity(passkey: $passkey) }'
const SECURITY = '{ mySecurity { hasSecondFactor recoveryCodesLeft passkeys { id name lastUsedAt } } }'
const EMAIL = 'verificare@clinica.test'

type Options = { challenge: string; user: { id: string }; rpId: string; allowCredentials: { id: string }[] }

let server: TestServer
let owner: TestClient
let userId: string

beforeEach(async () => {
  server = await createTestServer()
  userId = (await createUser(server.db, { email: EMAIL, role: 'staff', name: 'Ilinca Șerban' })).id
  owner = await server.signIn(EMAIL)
})

/** Adds a passkey to an account, as its signed-in user. */
async function addPasskey(client = owner, name = 'Telefon') {
  const passkey = createPasskey()
  const { beginPasskey } = await client.runQuery('mutation { beginPasskey }')
  const response = passkey.create(beginPasskey)
  const { addPasskey } = await client.runQuery(ADD, { name, response })
  return { passkey, response, codes: addPasskey.recoveryCodes as string[] }
}

async function requestOptions(visitor: TestClient, use = ''): Promise<Options> {
  if (visitor.cookies.size === 0) await visitor.get('/api/auth/csrf')
  const response = await visitor.fetch('/api/auth/passkey', {
    method: 'POST',
    body: new URLSearchParams({ use }),
  })
  return response.json() as Promise<Options>
}

/** Signs in with the answer of a passkey; returns the code of the rejection, null for a session. */
async function signIn(visitor: TestClient, answer: unknown, provider = 'passkey'): Promise<string | null> {
  const { url } = await visitor.post(`/api/auth/callback/${provider}`, { passkey: JSON.stringify(answer) })
  const user = await visitor.json('/api/auth/session')
  expect(user === null).toBe(url.searchParams.has('error'))
  return url.searchParams.get('code')
}

const lastActions = async (count: number) =>
  (
    await server.db.selectFrom('audit_event').select('action').orderBy('id', 'desc').limit(count).execute()
  ).map(({ action }) => action)

describe('a passkey', () => {
  it('signs in by itself, without address and password, past the second factor', async () => {
    await enableSecondFactor(server, { id: userId })
    const { passkey } = await addPasskey()
    const visitor = createTestClient(server)
    const options = await requestOptions(visitor)
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    expect(await signIn(visitor, passkey.get(options))).toBeNull()
    expect((await visitor.runQuery('{ me { email } }')).me.email).toBe(EMAIL)
    const { mySecurity } = await visitor.runQuery(SECURITY)
    expect(mySecurity.passkeys).toEqual([
      { id: expect.any(String), name: 'Telefon', lastUsedAt: expect.any(String) },
    ])
    expect(await lastActions(2)).toEqual(['session.sign-in', 'second-factor.add-passkey'])
  })

  it('is the second factor after the password, alone or beside an application', async () => {
    const { passkey, codes } = await addPasskey()
    expect(codes).toHaveLength(10)
    const visitor = createTestClient(server)
    const { url } = await visitor.signIn(EMAIL)
    expect(url.searchParams.get('code')).toBe('second-factor')
    expect(await visitor.json('/api/auth/second-factor')).toEqual({
      state: 'verify',
      hasAuthenticator: false,
      hasPasskey: true,
    })
    const options = await requestOptions(visitor, 'second-factor')
    expect(options.allowCredentials).toHaveLength(1)
    expect(await signIn(visitor, passkey.get(options), 'second-factor')).toBeNull()

    const other = createTestClient(server)
    await other.signIn(EMAIL)
    expect((await other.post('/api/auth/callback/second-factor', { code: codes[0]! })).url.search).toBe('')
  })

  it('ends the other sessions when it is the first second factor, and mails the owner', async () => {
    const other = await server.signIn(EMAIL)
    const { codes } = await addPasskey()
    expect(await other.json('/api/auth/session')).toBeNull()
    expect(codes).toHaveLength(10)
    expect((await addPasskey(owner, 'Laptop')).codes).toEqual([])
    const { mySecurity } = await owner.runQuery(SECURITY)
    expect(mySecurity).toMatchObject({ hasSecondFactor: true, recoveryCodesLeft: 10 })
    const [first] = mySecurity.passkeys
    const rename = 'mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) }'
    await owner.runQuery(rename, { id: first.id, name: 'Telefonul vechi' })
    await owner.runQuery('mutation ($id: ID!) { removePasskey(id: $id) }', { id: first.id })
    const mails = await server.db
      .selectFrom('message')
      .where('recipient', '=', EMAIL)
      .select('kind')
      .orderBy('created_at')
      .execute()
    expect(mails.map(({ kind }) => kind)).toEqual(['passkey-added', 'passkey-added', 'passkey-removed'])
    expect(await lastActions(2)).toEqual(['second-factor.remove-passkey', 'second-factor.rename-passkey'])
    expect((await owner.runQuery(SECURITY)).mySecurity.passkeys).toMatchObject([{ name: 'Laptop' }])
  })

  it('is a fresh proof in its session', async () => {
    const { passkey } = await addPasskey()
    await server.db
      .updateTable('session')
      .set({ proved_at: new Date(Date.now() - 600_000) })
      .execute()
    const begin = 'mutation { beginPasskeyProof }'
    const codeOfBegin = async () =>
      (await owner.graphql('mutation { beginPasskey }')).errors[0]?.extensions.code
    expect(await codeOfBegin()).toBe('FRESH_PROOF_REQUIRED')
    const { beginPasskeyProof } = await owner.runQuery(begin)
    const other = await server.signIn(EMAIL)
    const answer = passkey.get(beginPasskeyProof)
    expect((await other.graphql(PROVE, { passkey: answer })).errors[0]?.extensions.code).toBe(
      'BAD_USER_INPUT',
    )
    await owner.runQuery(PROVE, { passkey: answer })
    expect(await codeOfBegin()).toBeUndefined()
    expect((await owner.graphql(PROVE, { passkey: answer })).errors).toHaveLength(1)
    expect(await lastActions(3)).toEqual(['account.proof-failed', 'account.proof', 'account.proof-failed'])
  })

  it('cannot be used by an account that has to sign in by the OpenID provider, or is suspended', async () => {
    const { passkey } = await addPasskey()
    await upsertSettings(server.db, { login_provider: 'oidc' })
    const visitor = createTestClient(server)
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor)))).toBe('credentials')
    await upsertSettings(server.db, { login_provider: 'local' })
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', userId).execute()
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor)))).toBe('credentials')
    expect(await lastActions(2)).toEqual(['session.sign-in-failed', 'session.sign-in-failed'])
    await server.db.updateTable('app_user').set({ status: 'active' }).where('id', '=', userId).execute()
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor)))).toBeNull()
  })

  it('is removed with the second factor by an administrator', async () => {
    const { passkey } = await addPasskey()
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    const admin = await server.signIn('sefa@clinica.test')
    await admin.runQuery('mutation ($id: ID!) { removeSecondFactor(userId: $id) }', { id: userId })
    const visitor = createTestClient(server)
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor)))).toBe('credentials')
    expect((await visitor.signIn(EMAIL)).url.searchParams.has('error')).toBe(false)
  })

  it('stays while the role requires a second factor and there is no other', async () => {
    await addPasskey()
    await upsertSettings(server.db, { second_factor_required: ['staff'] })
    const [{ id }] = (await owner.runQuery(SECURITY)).mySecurity.passkeys
    const remove = () => owner.graphql('mutation ($id: ID!) { removePasskey(id: $id) }', { id })
    expect((await remove()).errors[0]?.extensions.code).toBe('CONFLICT')
    expect((await owner.runQuery(SECURITY)).mySecurity.passkeys).toHaveLength(1)
    await addPasskey(owner, 'Laptop')
    expect((await remove()).errors).toEqual([])
  })

  it('of another account can neither be renamed nor removed', async () => {
    await addPasskey()
    const { id } = await server.db.selectFrom('passkey').select('id').executeTakeFirstOrThrow()
    await createUser(server.db, { email: 'alta@clinica.test', role: 'admin' })
    const other = await server.signIn('alta@clinica.test')
    for (const act of ['renamePasskey(id: $id, name: "A mea")', 'removePasskey(id: $id)'])
      expect((await other.graphql(`mutation ($id: ID!) { ${act} }`, { id })).errors[0]?.extensions.code).toBe(
        'NOT_FOUND',
      )
  })
})

describe('a challenge', () => {
  it('is valid once', async () => {
    const { passkey } = await addPasskey()
    const visitor = createTestClient(server)
    const answer = passkey.get(await requestOptions(visitor))
    expect(await signIn(visitor, answer)).toBeNull()
    await visitor.post('/api/auth/signout')
    expect(await signIn(visitor, answer)).toBe('credentials')
  })

  it('is used up by a wrong answer too', async () => {
    const { passkey } = await addPasskey()
    const visitor = createTestClient(server)
    const options = await requestOptions(visitor)
    expect(await signIn(visitor, createPasskey().get(options))).toBe('credentials')
    expect(await signIn(visitor, passkey.get(options))).toBe('credentials')
  })

  it('is valid for five minutes', async () => {
    const { passkey } = await addPasskey()
    const visitor = createTestClient(server)
    const options = await requestOptions(visitor)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 301_000)
    expect(await signIn(visitor, passkey.get(options))).toBe('credentials')
    await server.runJobs()
  })

  it('is valid in the browser, and for the step, that requested it', async () => {
    const { passkey } = await addPasskey()
    const [visitor, thief] = [createTestClient(server), createTestClient(server)]
    await thief.get('/api/auth/csrf')
    expect(await signIn(thief, passkey.get(await requestOptions(visitor)))).toBe('credentials')

    await thief.signIn(EMAIL)
    // Of a whole sign-in, of another pending sign-in, of a proof.
    expect(await signIn(thief, passkey.get(await requestOptions(thief)), 'second-factor')).toBe(
      'second-factor-wrong',
    )
    await visitor.signIn(EMAIL)
    const ofVisitor = passkey.get(await requestOptions(visitor, 'second-factor'))
    expect(await signIn(thief, ofVisitor, 'second-factor')).toBe('second-factor-wrong')
    const { beginPasskeyProof } = await owner.runQuery('mutation { beginPasskeyProof }')
    expect(await signIn(thief, passkey.get(beginPasskeyProof), 'second-factor')).toBe('second-factor-wrong')
    expect(await signIn(visitor, ofVisitor, 'second-factor')).toBeNull()
  })

  it('is limited per network, and needs the CSRF cookie', async () => {
    const { app } = await createTestServer({ trustProxy: true })
    const visitor = createTestClient({ app })
    const request = async (ip: string) =>
      (await visitor.fetch('/api/auth/passkey', { method: 'POST', headers: { 'x-forwarded-for': ip } }))
        .status
    expect(await request('192.0.2.1')).toBe(400)
    await visitor.get('/api/auth/csrf')
    for (let sent = 0; sent < 100; sent += 1) expect(await request('192.0.2.1')).toBe(200)
    expect(await request('192.0.2.1')).toBe(429)
    expect(await request('192.0.2.2')).toBe(200)
  })
})

describe('the device’s answer', () => {
  it.each([
    ['the user was not verified', { isVerified: false }],
    ['it is of another site', { origin: 'https://localhost.evil.example' }],
    ['it is of another host name', { rpId: 'evil.example' }],
    ['it names another user', { userHandle: 'b3duZXI' }],
  ])('is rejected where %s', async (_name, faults) => {
    const { passkey } = await addPasskey()
    const visitor = createTestClient(server)
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor), faults))).toBe('credentials')
    expect(await signIn(visitor, passkey.get(await requestOptions(visitor)))).toBeNull()
  })

  it('is rejected when a counter goes backwards or stays, but not for a synced key, which has none', async () => {
    const { passkey } = await addPasskey()
    const use = async (counter: number) => {
      const visitor = createTestClient(server)
      return signIn(visitor, passkey.get(await requestOptions(visitor), { counter }))
    }
    expect([await use(0), await use(0)]).toEqual([null, null])
    expect([await use(7), await use(7), await use(6), await use(0)]).toEqual([
      null,
      'credentials',
      'credentials',
      'credentials',
    ])
    expect(await use(8)).toBeNull()
  })

  it('is rejected with a clear error where it is no answer at all', async () => {
    const visitor = createTestClient(server)
    await requestOptions(visitor)
    for (const answer of [null, 'x', {}, { id: 'x', rawId: 'x', type: 'public-key', response: {} }])
      expect(await signIn(visitor, answer)).toBe('credentials')
    for (const response of ['x', {}, createPasskey().create({ challenge: 'AAAA', user: { id: 'x' } })]) {
      const { errors } = await owner.graphql(ADD, { name: 'Telefon', response })
      expect(errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } })
    }
    const { beginPasskey } = await owner.runQuery('mutation { beginPasskey }')
    const unverified = createPasskey().create(beginPasskey, { isVerified: false })
    expect((await owner.graphql(ADD, { name: 'Telefon', response: unverified })).errors).toHaveLength(1)
    expect((await owner.runQuery(SECURITY)).mySecurity.passkeys).toEqual([])
  })

  it('adds a key once', async () => {
    const { response } = await addPasskey()
    expect((await owner.graphql(ADD, { name: 'Telefon', response })).errors[0]?.extensions.code).toBe(
      'CONFLICT',
    )
  })
})
