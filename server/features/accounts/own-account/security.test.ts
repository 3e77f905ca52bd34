import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestClient } from '../../../../test/client.ts'
import { CHANGE_PASSWORD, CONFIRM_SECOND_FACTOR } from '../../../../test/documents.ts'
import { createAuthenticator, enableSecondFactor } from '../../../../test/second-factor.ts'
import {
  createTestServer,
  type GraphqlResponse,
  type TestClient,
  type TestServer,
} from '../../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../../test/users.ts'
import { newId } from '../../../platform/ids.ts'
import { upsertSettings } from '../../site/site.db.ts'
import { verifyPassword } from '../credentials/password.ts'

const NEXT = 'un drum lung spre casă'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
})

const advanceSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

async function createSignedInUser(over: Partial<Parameters<typeof createUser>[1]> = {}) {
  serial += 1
  const user = await createUser(server.db, { email: `persoana-${serial}@clinica.test`, ...over })
  return { ...user, client: await server.signIn(user.email) }
}

const readUser = (id: string) =>
  server.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Makes the last proof of the user's sessions older than a fresh one. */
const ageProofs = (userId: string) =>
  server.db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - 5 * 60_000) })
    .where('user_id', '=', userId)
    .execute()

const listActions = async (id: string) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['action', 'outcome'])
      .where('actor_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action, outcome }) => `${action} ${outcome}`)

const isSignedIn = async (client: TestClient) =>
  (await (await client.fetch('/api/auth/session')).json()) !== null

/** The invalid fields of a response, or its error code if it names no field. */
const userError = ({ errors }: GraphqlResponse) =>
  errors[0]?.extensions.fields?.map(({ field }) => field).join() ?? errors[0]?.extensions.code

const expectPublished = async (id: string, work: () => Promise<unknown>): Promise<boolean> => {
  const events = server.services.events.subscribe()
  const seen: unknown[] = []
  void (async () => {
    for await (const event of events) seen.push(event)
  })()
  await work()
  await expect.poll(() => seen).toContainEqual({ kind: 'account', id })
  await events.return?.()
  return true
}

describe('sessions', () => {
  const MINE = '{ mySessions { id createdAt lastSeenAt ip userAgent current provider } }'

  it('are listed to their user, with the current one marked', async () => {
    const { email, client } = await createSignedInUser()
    const visitor = createTestClient(server)
    const form = { email, password: TEST_PASSWORD }
    await visitor.post('/api/auth/callback/local', form, { 'user-agent': 'Telefon' })
    const { data } = await client.graphql(MINE)
    expect(data.mySessions).toHaveLength(2)
    expect(data.mySessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect(data.mySessions.find(({ current }: { current: boolean }) => !current)).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      ip: null,
      userAgent: 'Telefon',
      current: false,
      provider: 'local',
    })
    expect(JSON.stringify(data)).not.toContain('token')
  })

  it('store the time of their last use at most once a minute', async () => {
    const { id, client } = await createSignedInUser()
    const read = async () =>
      (
        await server.db
          .selectFrom('session')
          .select('last_seen_at')
          .where('user_id', '=', id)
          .executeTakeFirstOrThrow()
      ).last_seen_at.getTime()
    const opened = await read()
    // The test's clock differs from the database's by up to 15 seconds.
    advanceSeconds(40)
    await client.graphql('{ me { id } }')
    expect(await read()).toBe(opened)
    advanceSeconds(120)
    await client.graphql('{ me { id } }')
    expect(await read()).toBe(Date.now())
  })

  it('end one by one or all except the current one, on every route (A10)', async () => {
    const { id, email, client } = await createSignedInUser()
    const [phone, tablet, desk] = [
      await server.signIn(email),
      await server.signIn(email),
      await server.signIn(email),
    ]
    const { id_token } = (await (await phone!.fetch('/api/token')).json()) as { id_token: string }
    const { data } = await phone!.graphql(MINE)
    const { id: session } = data.mySessions.find(({ current }: { current: boolean }) => current)
    await expectPublished(id, () =>
      client.graphql('mutation ($id: ID!) { endSession(id: $id) }', { id: session }),
    )
    expect(await isSignedIn(phone!)).toBe(false)
    const graphql = await server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${id_token}`, 'content-type': 'application/json' },
      body: '{"query":"{ me { id } }"}',
    })
    expect([graphql.status, (await phone!.fetch('/files', { method: 'POST' })).status]).toEqual([401, 401])

    const ended = await client.graphql('mutation { endOtherSessions }')
    expect(ended.data.endOtherSessions).toBe(2)
    expect([await isSignedIn(tablet!), await isSignedIn(desk!), await isSignedIn(client)]).toEqual([
      false,
      false,
      true,
    ])
    expect((await client.graphql('mutation { endOtherSessions }')).data.endOtherSessions).toBe(0)
    expect((await client.graphql(MINE)).data.mySessions).toHaveLength(1)
    expect(await listActions(id)).toEqual(['session.end ok', 'session.end ok'])
  })

  it('of other users are listed and ended only by administrators (B01)', async () => {
    const [victim, staff, admin] = [
      await createSignedInUser(),
      await createSignedInUser(),
      await createSignedInUser({ role: 'admin' }),
    ]
    const { data } = await victim.client.graphql(MINE)
    const [{ id }] = data.mySessions
    const END = 'mutation ($id: ID!) { endSession(id: $id) }'
    const THEIRS = 'query ($id: ID!) { userSessions(userId: $id) { id current } }'
    for (const attempt of [id, newId(), id.toUpperCase(), 'x']) {
      expect([attempt, userError(await staff.client.graphql(END, { id: attempt }))]).toEqual([
        attempt,
        'NOT_FOUND',
      ])
    }
    expect(userError(await staff.client.graphql(THEIRS, { id: victim.id }))).toBe('FORBIDDEN')
    expect(await isSignedIn(victim.client)).toBe(true)

    const seen = await admin.client.graphql(THEIRS, { id: victim.id })
    expect(seen.data.userSessions).toEqual([{ id, current: false }])
    await admin.client.graphql(END, { id })
    expect(await isSignedIn(victim.client)).toBe(false)
    expect((await admin.client.graphql(THEIRS, { id: victim.id })).data.userSessions).toEqual([])
    expect(userError(await admin.client.graphql(END, { id }))).toBe('NOT_FOUND')
  })
})

describe('changing the password', () => {
  it('requires the current password, ends the other sessions and notifies the owner (A18)', async () => {
    const { id, email, client } = await createSignedInUser()
    const other = await server.signIn(email)
    const before = (await readUser(id)).password_hash
    expect(userError(await client.graphql(CHANGE_PASSWORD, { current: 'greșită', next: NEXT }))).toBe(
      'current',
    )
    expect((await readUser(id)).password_hash).toBe(before)
    expect(await isSignedIn(other)).toBe(true)

    await expectPublished(id, () => client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT }))
    expect(await verifyPassword(NEXT, (await readUser(id)).password_hash)).toBe(true)
    expect([await isSignedIn(other), await isSignedIn(client)]).toEqual([false, true])
    const mails = await server.db
      .selectFrom('message')
      .select(['kind', 'recipient'])
      .where('about_id', '=', id)
      .execute()
    expect(mails).toEqual([{ kind: 'password-changed', recipient: email }])
    expect(await listActions(id)).toEqual(['account.proof-failed failed', 'account.set-password ok'])
    expect(server.logged.join('')).not.toContain(NEXT)
  })

  it('requires 15 characters, or 8 with a second factor, and rejects common passwords (5.7)', async () => {
    const alone = await createSignedInUser()
    const guarded = await createSignedInUser()
    await enableSecondFactor(server, guarded)
    const change = async ({ client }: { client: TestClient }, next: string) =>
      userError(await client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next }))
    expect(await change(alone, 'vară roz')).toBe('next')
    expect(await change(alone, 'parolaparolaparola')).toBe('next')
    expect(await change(alone, alone.email)).toBe('next')
    expect(await change(guarded, 'vară ro')).toBe('next')
    expect(await change(guarded, 'vară roz')).toBeUndefined()
  })

  it('is limited like a sign-in: after five wrong passwords the right one must wait too (A01)', async () => {
    const { client } = await createSignedInUser()
    for (let n = 0; n < 5; n += 1) await client.graphql(CHANGE_PASSWORD, { current: 'greșită', next: NEXT })
    expect(userError(await client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT }))).toBe(
      'current',
    )
    advanceSeconds(1)
    expect(
      userError(await client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT })),
    ).toBeUndefined()
  })

  it('lets one of two concurrent changes succeed and stores its password', async () => {
    const { id, client } = await createSignedInUser()
    const passwords = ['un drum lung spre casă', 'o seară lungă la munte']
    const responses = await Promise.all(
      passwords.map((next) => client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next })),
    )
    const done = responses.map(({ errors }) => errors.length === 0)
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await verifyPassword(passwords[done.indexOf(true)]!, (await readUser(id)).password_hash)).toBe(
      true,
    )
  })
})

describe('the second factor', () => {
  const SECURITY = '{ mySecurity { hasSecondFactor secondFactorRequired recoveryCodesLeft } }'
  const BEGIN = `mutation ($password: String!, $code: String) {
    beginSecondFactor(password: $password, code: $code) { secret uri ticket } }`
  const DISABLE =
    'mutation ($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) }'
  const CODES = 'mutation { newRecoveryCodes }'
  const REMOVE = 'mutation ($id: ID!) { removeSecondFactor(userId: $id) }'

  const begin = async (client: TestClient, code?: string) =>
    (await client.graphql(BEGIN, { password: TEST_PASSWORD, code })).data.beginSecondFactor as {
      secret: string
      uri: string
      ticket: string
    }

  it('is set up with the password and a first code, and ends the other sessions (5.6)', async () => {
    const { id, email, client } = await createSignedInUser()
    const other = await server.signIn(email)
    expect(userError(await client.graphql(BEGIN, { password: 'greșită' }))).toBe('password')
    const { secret, uri, ticket } = await begin(client)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(Buffer.from(ticket, 'base64url').toString('latin1')).not.toContain(secret)
    const app = createAuthenticator(secret)
    expect(userError(await client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: app.code(5) }))).toBe('code')
    expect((await readUser(id)).totp_secret).toBeNull()

    let codes: string[] = []
    await expectPublished(id, async () => {
      codes = (await client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: app.code() })).data
        .confirmSecondFactor
    })
    expect(new Set(codes).size).toBe(10)
    expect([await isSignedIn(other), await isSignedIn(client)]).toEqual([false, true])
    expect((await client.graphql(SECURITY)).data.mySecurity).toEqual({
      hasSecondFactor: true,
      secondFactorRequired: false,
      recoveryCodesLeft: 10,
    })
    const stored = await server.db
      .selectFrom('recovery_code')
      .select('code_hash')
      .where('user_id', '=', id)
      .execute()
    for (const code of codes) expect(JSON.stringify(stored)).not.toContain(code)
    expect(userError(await client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: app.code(1) }))).toBe(
      'CONFLICT',
    )

    const visitor = createTestClient(server)
    expect((await visitor.signIn(email)).url.searchParams.get('code')).toBe('second-factor')
    const taken = await visitor.post('/api/auth/callback/second-factor', { code: app.code() })
    expect(taken.url.searchParams.get('code')).toBe('second-factor-wrong')
    await visitor.post('/api/auth/callback/second-factor', { code: codes[0]! })
    expect((await client.graphql(SECURITY)).data.mySecurity.recoveryCodesLeft).toBe(9)
  })

  it('rejects an enrolment token that is altered, of another user or older than 15 minutes', async () => {
    const [one, two] = [await createSignedInUser(), await createSignedInUser()]
    const { secret, ticket } = await begin(one.client)
    const app = createAuthenticator(secret)
    const changed = ticket.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const encrypted = server.services.encryption.encrypt('text').toString('base64url')
    for (const wrong of ['', 'x', changed.slice(0, -4), encrypted]) {
      expect(
        userError(await one.client.graphql(CONFIRM_SECOND_FACTOR, { ticket: wrong, code: app.code() })),
      ).toBe('CONFLICT')
    }
    expect(userError(await two.client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: app.code() }))).toBe(
      'CONFLICT',
    )
    advanceSeconds(15 * 60)
    expect(userError(await one.client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: app.code() }))).toBe(
      'CONFLICT',
    )
    expect((await readUser(one.id)).totp_secret).toBeNull()
  })

  it('accepts an enrolment token only once, with any code (5.6)', async () => {
    const user = await createSignedInUser()
    const { secret, ticket } = await begin(user.client)
    const app = createAuthenticator(secret)
    const confirm = async (code: string) =>
      userError(await user.client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code }))
    expect(await confirm(app.code(-1))).toBeUndefined()
    const exchange = await begin(user.client, app.code())
    const next = createAuthenticator(exchange.secret)
    const confirmNext = async (code: string) =>
      userError(await user.client.graphql(CONFIRM_SECOND_FACTOR, { ticket: exchange.ticket, code }))
    expect(await confirmNext(next.code(-1))).toBeUndefined()

    const prove = async (code: string) => {
      const visitor = createTestClient(server)
      await visitor.signIn(user.email)
      const { url } = await visitor.post('/api/auth/callback/second-factor', { code })
      return url.searchParams.get('code')
    }
    expect(await prove(next.code())).toBeNull()
    const before = await readUser(user.id)
    for (const code of [next.code(-1), next.code(), next.code(1)])
      expect(await confirmNext(code)).toBe('CONFLICT')
    expect(await readUser(user.id)).toEqual(before)
    expect(await prove(next.code())).toBe('second-factor-wrong')
  })

  it('accepts an enrolment token only in its session, until the password or factor changes', async () => {
    const user = await createSignedInUser()
    const other = await server.signIn(user.email)
    const confirm = async (client: TestClient, { secret, ticket }: { secret: string; ticket: string }) =>
      userError(
        await client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: createAuthenticator(secret).code() }),
      )
    const first = await begin(user.client)
    expect(await confirm(other, first)).toBe('CONFLICT')

    await user.client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT })
    expect(await confirm(user.client, first)).toBe('CONFLICT')

    const begun = (await user.client.graphql(BEGIN, { password: NEXT })).data.beginSecondFactor
    expect(await confirm(user.client, begun)).toBeUndefined()
    advanceSeconds(30)
    const code = createAuthenticator(begun.secret).code()
    expect(userError(await user.client.graphql(DISABLE, { password: NEXT, code }))).toBeUndefined()
    advanceSeconds(30)
    expect(await confirm(user.client, begun)).toBe('CONFLICT')
    expect((await readUser(user.id)).totp_secret).toBeNull()
  })

  it('is replaced only with a code of the existing factor, not with the password alone', async () => {
    const user = await createSignedInUser()
    const early = await begin(user.client)
    const app = await enableSecondFactor(server, user)
    expect(userError(await user.client.graphql(BEGIN, { password: TEST_PASSWORD }))).toBe('code')
    expect(userError(await user.client.graphql(BEGIN, { password: TEST_PASSWORD, code: '000000' }))).toBe(
      'code',
    )
    // An enrolment begun before the factor existed cannot replace it.
    const earlyCode = createAuthenticator(early.secret).code()
    const response = await user.client.graphql(CONFIRM_SECOND_FACTOR, {
      ticket: early.ticket,
      code: earlyCode,
    })
    expect(userError(response)).toBe('CONFLICT')

    const { secret, ticket } = await begin(user.client, app.code())
    const next = createAuthenticator(secret)
    expect((await user.client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code: next.code() })).errors).toEqual(
      [],
    )
    const visitor = createTestClient(server)
    await visitor.signIn(user.email)
    const prove = async (code: string) =>
      (await visitor.post('/api/auth/callback/second-factor', { code })).url.searchParams.get('code')
    expect(await prove(app.code(1))).toBe('second-factor-wrong')
    expect(await prove(next.code(1))).toBeNull()
  })

  it('is disabled with password and code if the role permits it and the password is long enough', async () => {
    const user = await createSignedInUser()
    const app = await enableSecondFactor(server, user)
    const disable = async (password: string, code: string) =>
      userError(await user.client.graphql(DISABLE, { password, code }))
    expect(await disable('greșită', app.code())).toBe('password')
    expect(await disable(TEST_PASSWORD, '000000')).toBe('code')
    expect((await readUser(user.id)).totp_secret).not.toBeNull()
    await upsertSettings(server.db, { second_factor_required: ['staff'] })
    expect((await user.client.graphql(SECURITY)).data.mySecurity.secondFactorRequired).toBe(true)
    expect(await disable(TEST_PASSWORD, app.code())).toBe('CONFLICT')
    await upsertSettings(server.db, { second_factor_required: [] })

    await user.client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: 'vară roz' })
    expect(await disable('vară roz', app.code())).toBe('password')
    await user.client.graphql(CHANGE_PASSWORD, { current: 'vară roz', next: NEXT })
    expect(await disable(NEXT, app.code())).toBeUndefined()
    expect(await disable(NEXT, app.code(1))).toBe('CONFLICT')
    const { totp_secret, totp_last_step } = await readUser(user.id)
    expect([totp_secret, totp_last_step]).toEqual([null, null])
  })

  it('limits code attempts of a signed-in user together with those at sign-in (A01)', async () => {
    const user = await createSignedInUser()
    const app = await enableSecondFactor(server, user)
    const attempts = Array.from({ length: 5 }, () => ({ password: TEST_PASSWORD, code: '000000' }))
    for (const wrong of attempts) await user.client.graphql(DISABLE, wrong)
    const right = { password: TEST_PASSWORD, code: app.code() }
    expect(userError(await user.client.graphql(DISABLE, right))).toBe('code')
    const visitor = createTestClient(server)
    await visitor.signIn(user.email)
    const { url } = await visitor.post('/api/auth/callback/second-factor', { code: app.code() })
    expect(url.searchParams.get('code')).toBe('second-factor-wrong')
    advanceSeconds(1)
    expect(userError(await user.client.graphql(DISABLE, right))).toBeUndefined()
  })

  it('issues new recovery codes for a fresh proof, invalidates the old ones and mails the owner', async () => {
    const user = await createSignedInUser()
    expect(userError(await user.client.graphql(CODES))).toBe('CONFLICT')
    const app = await enableSecondFactor(server, user)
    const first = (await user.client.graphql(CODES)).data.newRecoveryCodes
    await ageProofs(user.id)
    // The password alone is not enough: a new code would be as good as the factor.
    expect(userError(await user.client.graphql(CODES))).toBe('FRESH_PROOF_REQUIRED')
    const prove =
      'mutation ($password: String!, $code: String!) { proveIdentity(password: $password, code: $code) }'
    await user.client.runQuery(prove, { password: TEST_PASSWORD, code: app.code() })
    const second = (await user.client.graphql(CODES)).data.newRecoveryCodes
    const visitor = createTestClient(server)
    await visitor.signIn(user.email)
    const enter = async (code: string) =>
      (await visitor.post('/api/auth/callback/second-factor', { code })).url.searchParams.get('code')
    expect(await enter(first[0])).toBe('second-factor-wrong')
    expect(await enter(second[0])).toBeNull()
    const mails = await server.db
      .selectFrom('message')
      .select('kind')
      .where('recipient', '=', user.email)
      .execute()
    expect(mails).toEqual([{ kind: 'recovery-codes' }, { kind: 'recovery-codes' }])
  })

  it('is needed for another password where there is one', async () => {
    const [user, other] = [await createSignedInUser(), await createSignedInUser()]
    await enableSecondFactor(server, user)
    for (const { id } of [user, other]) await ageProofs(id)
    const change = { current: TEST_PASSWORD, next: NEXT }
    expect(userError(await user.client.graphql(CHANGE_PASSWORD, change))).toBe('FRESH_PROOF_REQUIRED')
    expect(userError(await other.client.graphql(CHANGE_PASSWORD, change))).toBeUndefined()
  })

  it('is removed by an administrator for another user, but not for themselves', async () => {
    const [user, staff, admin] = [
      await createSignedInUser(),
      await createSignedInUser(),
      await createSignedInUser({ role: 'admin' }),
    ]
    await enableSecondFactor(server, user)
    await enableSecondFactor(server, admin)
    expect(userError(await staff.client.graphql(REMOVE, { id: user.id }))).toBe('FORBIDDEN')
    expect(userError(await admin.client.graphql(REMOVE, { id: admin.id }))).toBe('FORBIDDEN')
    for (const id of [staff.id, newId(), 'x'])
      expect(userError(await admin.client.graphql(REMOVE, { id }))).toBe('NOT_FOUND')
    await expectPublished(user.id, () => admin.client.graphql(REMOVE, { id: user.id }))
    expect(await isSignedIn(user.client)).toBe(false)
    const { url } = await createTestClient(server).signIn(user.email)
    expect(url.search).toBe('')
  })
})
