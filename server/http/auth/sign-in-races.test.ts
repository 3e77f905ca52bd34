import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccountLink } from '../../../db/factories.ts'
import { createTestClient, type TestClient } from '../../../test/client.ts'
import { CHANGE_PASSWORD, CONFIRM_SECOND_FACTOR } from '../../../test/documents.ts'
import { lockUser } from '../../../test/locks/user-lock.ts'
import { createAuthenticator, enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../../../test/users.ts'

const NEXT = 'un drum lung spre casă'
const BEGIN = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret ticket } }'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

async function enter() {
  serial += 1
  const user = await createUser(server.db, { email: `persoana-${serial}@clinica.test` })
  return { ...user, client: await server.signIn(user.email) }
}

/** Starts three sign-ins with the right password, which wait before the session is opened. */
function beginThree(email: string) {
  const visitors = Array.from({ length: 3 }, () => createTestClient(server))
  return { visitors, responses: visitors.map((visitor) => visitor.signIn(email)) }
}

const isIn = async (visitor: TestClient) => (await (await visitor.get('/api/auth/session')).json()) !== null

const countLiveSessions = async (id: string) => {
  const rows = await server.db
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.length
}

/** Returns the `code` of every response; null for a session that was opened. */
const codesOf = async ({ responses }: ReturnType<typeof beginThree>) =>
  (await Promise.all(responses)).map(({ url }) => url.searchParams.get('code'))

describe('a running sign-in with the right password', () => {
  it('fails after a change of that password (A18)', async () => {
    const { id, email, client } = await enter()
    const locked = await lockUser(server.db, id)
    const change = client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT })
    await locked.waiters(1)
    const three = beginThree(email)
    await locked.waiters(2)
    await locked.release()
    expect((await change).errors).toEqual([])
    expect(await codesOf(three)).toEqual(['credentials', 'credentials', 'credentials'])
    expect(await Promise.all(three.visitors.map(isIn))).toEqual([false, false, false])
    expect(await countLiveSessions(id)).toBe(1)
  })

  it('fails after a reset by link (A18)', async () => {
    const { id, email } = await enter()
    const token = await makeAccountLink(server.db, { user_id: id, purpose: 'reset' })
    const locked = await lockUser(server.db, id)
    const owner = createTestClient(server)
    const reset = owner.post('/api/auth/callback/link', { token, password: NEXT })
    await locked.waiters(1)
    const three = beginThree(email)
    await locked.waiters(2)
    await locked.release()
    expect((await reset).url.search).toBe('')
    expect(await codesOf(three)).toEqual(['credentials', 'credentials', 'credentials'])
    expect([await isIn(owner), await countLiveSessions(id)]).toEqual([true, 1])
  })

  it('requires a second factor that is set up at the same time (5.6)', async () => {
    const { id, email, client } = await enter()
    const { data } = await client.graphql(BEGIN, { password: TEST_PASSWORD })
    const { secret, ticket } = data.beginSecondFactor
    const locked = await lockUser(server.db, id)
    const code = createAuthenticator(secret).code()
    const confirmed = client.graphql(CONFIRM_SECOND_FACTOR, { ticket, code })
    await locked.waiters(1)
    const three = beginThree(email)
    await locked.waiters(2)
    await locked.release()
    expect((await confirmed).errors).toEqual([])
    expect(await codesOf(three)).toEqual(['second-factor', 'second-factor', 'second-factor'])
    expect(await countLiveSessions(id)).toBe(1)
  })

  it('is rejected when the account is suspended at the same time, and leaves no pending sign-in (A10)', async () => {
    const { id, email } = await enter()
    const locked = await lockUser(server.db, id)
    const three = beginThree(email)
    await locked.waiters(1)
    await locked.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', id).execute()
    await locked.release()
    expect(await codesOf(three)).toEqual(['credentials', 'credentials', 'credentials'])
    await server.db.updateTable('app_user').set({ status: 'active' }).where('id', '=', id).execute()
    expect(await Promise.all(three.visitors.map(isIn))).toEqual([false, false, false])
  })

  it('succeeds however many run for one account at once', async () => {
    const { email } = await enter()
    const visitors = Array.from({ length: 9 }, () => createTestClient(server))
    const responses = await Promise.all(visitors.map((visitor) => visitor.signIn(email)))
    expect(responses.map(({ url }) => url.search)).toEqual(Array(9).fill(''))
  })
})

describe('a running second-factor check', () => {
  it('fails after a change of the password, and does not use up the code (A18)', async () => {
    const user = await enter()
    await enableSecondFactor(server, user)
    const { data } = await user.client.graphql('mutation { newRecoveryCodes }')
    const visitor = createTestClient(server)
    await visitor.signIn(user.email)
    const locked = await lockUser(server.db, user.id)
    const change = user.client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT })
    await locked.waiters(1)
    const code = data.newRecoveryCodes[0]
    const proved = visitor.post('/api/auth/callback/second-factor', { code })
    await locked.waiters(2)
    await locked.release()
    expect((await change).errors).toEqual([])
    expect((await proved).url.searchParams.get('code')).toBe('second-factor-expired')
    const { data: after } = await user.client.graphql('{ mySecurity { recoveryCodesLeft } }')
    expect(after.mySecurity.recoveryCodesLeft).toBe(10)
  })
})

describe('a signed-in user’s action with the old password', () => {
  it('is rejected when the password changes at the same time', async () => {
    const { id, client } = await enter()
    await enableSecondFactor(server, { id })
    const locked = await lockUser(server.db, id)
    const change = client.graphql(CHANGE_PASSWORD, { current: TEST_PASSWORD, next: NEXT })
    await locked.waiters(1)
    const codes = client.graphql('mutation { newRecoveryCodes }')
    await locked.waiters(2)
    await locked.release()
    expect((await change).errors).toEqual([])
    expect((await codes).errors[0]?.extensions.code).toBe('CONFLICT')
  })
})
