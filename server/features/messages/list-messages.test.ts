import { expect, it, onTestFinished } from 'vitest'
import { startMailServer } from '../../../test/mail.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { createSystemContext } from '../../context.ts'
import { openMailer } from '../../platform/mailer.ts'
import { resumeMessages } from './resume-messages.ts'

const LIST = `query ($first: Int, $after: String, $state: MessageState) { messages(first: $first, after: $after, state: $state) {
  nodes { id recipient recipientName kind subject state tries lastError createdAt sentAt body } endCursor } }`
const TEST = 'mutation { sendTestMessage { id } }'

async function startWithAdmin() {
  const server = await createTestServer()
  await createUser(server.db, { email: 'sefa@clinica.test', name: 'Șefa', role: 'admin' })
  const admin = await server.signIn('sefa@clinica.test')
  const queue = async () => {
    const { data } = await admin.graphql(TEST)
    await server.runJobs()
    return data.sendTestMessage.id as string
  }
  return { server, admin, queue }
}

const systemContext = ({ services }: TestServer) => createSystemContext(services)

it('shows administrators the mail kept without a mail server and records the reading', async () => {
  const { server, admin, queue } = await startWithAdmin()
  const id = await queue()
  const { data } = await admin.graphql(LIST)
  expect(data.messages).toEqual({
    nodes: [
      {
        id,
        recipient: 'sefa@clinica.test',
        recipientName: 'Șefa',
        kind: 'test',
        subject: 'Mesaj de probă – Dosar',
        state: 'queued',
        tries: 0,
        lastError: null,
        createdAt: expect.any(String),
        sentAt: null,
        body: expect.stringContaining('Dosar poate trimite mesaje'),
      },
    ],
    endCursor: null,
  })
  const read = await server.db
    .selectFrom('audit_event')
    .where('action', '=', 'message.list')
    .select('subject_ids')
    .execute()
  expect(read).toEqual([{ subject_ids: [id] }])
})

it('shows no text once there is a mail server', async () => {
  const { server, admin, queue } = await startWithAdmin()
  await queue()
  server.services.mailer = openMailer('smtp://127.0.0.1:1')
  expect((await admin.graphql(LIST)).data.messages.nodes).toMatchObject([{ state: 'queued', body: null }])
})

it('names the account of a mail that failed, so that it can be sent again', async () => {
  const { server, admin } = await startWithAdmin()
  const { id: userId } = await createUser(server.db, { email: 'nou@clinica.test', status: 'invited' })
  const RESEND = 'mutation ($userId: ID!) { resendInvitation(userId: $userId) { user { id } } }'
  await admin.graphql(RESEND, { userId })
  await server.db.updateTable('message').set({ state: 'bounced', last_error: '550', body: null }).execute()
  const QUERY = '{ messages { nodes { kind userId state lastError } } }'
  const bounced = { kind: 'invitation', userId, state: 'bounced', lastError: '550' }
  expect((await admin.graphql(QUERY)).data.messages.nodes).toEqual([bounced])
  expect((await admin.graphql(RESEND, { userId })).errors).toEqual([])
  expect((await admin.graphql(QUERY)).data.messages.nodes).toEqual([
    { kind: 'invitation', userId, state: 'queued', lastError: null },
    bounced,
  ])
})

it('is only for administrators', async () => {
  const { server, queue } = await startWithAdmin()
  await queue()
  for (const role of ['staff', 'institution'] as const) {
    const { email } = await createUser(server.db, { email: `${role}@clinica.test`, role })
    const client = await server.signIn(email)
    for (const query of [LIST, TEST])
      expect((await client.graphql(query)).errors[0]?.extensions.code).toBe('FORBIDDEN')
  }
})

it('lists messages page by page, newest first, by state, and rejects an unknown state', async () => {
  const { server, admin, queue } = await startWithAdmin()
  const ids = []
  for (let n = 0; n < 5; n++) ids.unshift(await queue())
  // Two messages of one instant.
  const created_at = new Date()
  await server.db.updateTable('message').set({ created_at }).where('id', 'in', ids.slice(1, 3)).execute()
  const seen: string[] = []
  let after: string | null = null
  do {
    const { data } = await admin.graphql(LIST, { first: 2, after })
    seen.push(...data.messages.nodes.map(({ id }: { id: string }) => id))
    after = data.messages.endCursor
  } while (after)
  expect([...seen].sort()).toEqual([...ids].sort())

  await server.db.updateTable('message').set({ state: 'failed' }).where('id', '=', ids[3]!).execute()
  const { data } = await admin.graphql(LIST, { state: 'failed' })
  expect(data.messages.nodes).toMatchObject([{ id: ids[3] }])
  const { errors } = await admin.graphql(LIST, { state: 'lost' })
  expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
})

it('sends kept mail at the next start with a mail server, except mail older than a day', async () => {
  const { server, queue } = await startWithAdmin()
  const [old, kept] = [await queue(), await queue()]
  const created_at = new Date(Date.now() - 24 * 3_600_000)
  await server.db.updateTable('message').set({ created_at }).where('id', '=', old).execute()
  await resumeMessages(systemContext(server))
  await server.runJobs()

  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const mailer = openMailer(mail.url)
  onTestFinished(mailer.stop)
  server.services.mailer = mailer
  await resumeMessages(systemContext(server))
  await server.runJobs()
  expect(mail.arrived.map(({ mail: { messageId } }) => messageId)).toEqual([`<${kept}@localhost>`])
  const rows = await server.db.selectFrom('message').select(['id', 'state', 'body', 'last_error']).execute()
  expect(rows).toContainEqual({ id: old, state: 'failed', body: null, last_error: 'old' })
  expect(rows).toContainEqual({ id: kept, state: 'sent', body: null, last_error: null })
})
