import { describe, expect, it, onTestFinished } from 'vitest'
import { MAIL_KIND_NAMES } from '../../../shared/messages/mail-kinds.ts'
import { type MailServer, startMailServer } from '../../../test/mail.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { createSystemContext, inTransaction } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { MailFailure } from '../../platform/mailer.ts'
import { upsertSettings } from '../site/site.db.ts'
import { exampleMails } from './mail-previews.ts'
import { type QueuedMail, queueMessage } from './queue-message.ts'

const URL = 'https://rezultate.clinica.test'
const LINK = `${URL}/cont/3q2-7wEjRWfJq8yHkqkL0oV2vQkzO1m9w3rT5yU7iPa`
const ANA = { name: 'Ana-Maria Țurcanu', address: 'ana@exemplu.test' }
const INVITATION: QueuedMail = {
  to: ANA,
  content: { kind: 'invitation', inviter: 'Ilinca Șerban', link: LINK },
  about: { type: 'user', id: newId() },
}

async function start(): Promise<TestServer & { mail: MailServer }> {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const server = await createTestServer({ smtpUrl: mail.url, url: URL })
  return { ...server, mail }
}

const systemContext = ({ services }: TestServer) => createSystemContext(services)

const queue = (server: TestServer, mail: Partial<QueuedMail> = {}) =>
  inTransaction(systemContext(server), (tx) => queueMessage(tx, { ...INVITATION, ...mail }))

const readMessage = ({ db }: TestServer, id: string) =>
  db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Retries the job as the job runner does after its delay. */
async function retrySending(server: TestServer, messageId: string): Promise<void> {
  await server.services.jobs.enqueue(server.db, 'send-message', { messageId })
  await server.runJobs()
}

describe('outgoing mail', () => {
  it('is sent from from_name <from_email> of the settings, with equal text and HTML [1.5]', async () => {
    const server = await start()
    const settings = {
      name: 'Clinica Șoimul',
      from_name: 'Clinica „Șoimul”',
      from_email: 'Rezultate@Clinica.test',
    }
    await upsertSettings(server.db, settings)
    const id = await queue(server)
    await server.runJobs()

    const { sender, recipients, mail } = server.mail.arrived[0]!
    expect(mail.from).toEqual({ name: settings.from_name, address: 'rezultate@clinica.test' })
    expect(sender).toBe('rezultate@clinica.test')
    expect(mail.to).toEqual([ANA])
    expect(recipients).toEqual([ANA.address])
    expect(mail.subject).toBe('Invitație în Dosar – Clinica Șoimul')
    expect(mail.messageId).toBe(`<${id}@clinica.test>`)
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Bună, Ana-Maria Țurcanu,')
      expect(body).toContain('Ilinca Șerban te invită în Dosar')
      expect(body).toContain(LINK)
      expect(body).toContain('7 zile')
    }
    expect(mail.html).not.toMatch(/<img|<script|url\(|src=/)
    expect(await readMessage(server, id)).toMatchObject({ state: 'sent', tries: 1, last_error: null })
    expect(
      await server.db.selectFrom('audit_event').select(['action', 'outcome', 'subject_id']).execute(),
    ).toEqual([{ action: 'message.send', outcome: 'ok', subject_id: id }])
  })

  it('addresses institution users with dumneavoastră and all others with tu', async () => {
    const server = await start()
    const clerk = await createUser(server.db, { email: 'clinica@exemplu.test', role: 'institution' })
    const colleague = await createUser(server.db, { email: 'coleg@exemplu.test', role: 'staff' })
    for (const { id } of [clerk, colleague]) await queue(server, { about: { type: 'user', id } })
    await server.runJobs()
    const [formal, informal] = server.mail.arrived.map(({ mail }) => mail.text)
    expect(formal).toMatch(/Bună ziua[\s\S]*vă invită[\s\S]*Alegeți-vă parola/)
    expect(formal).not.toMatch(/\b(te invită|tău|Alege-ți|ignoră mesajul)\b/)
    expect(informal).toMatch(/Bună,[\s\S]*te invită[\s\S]*Alege-ți parola/)
  })

  it('is sent from noreply at the domain of the product if no sender is set', async () => {
    const server = await start()
    await queue(server)
    await server.runJobs()
    expect(server.mail.arrived[0]!.mail.from).toEqual({
      name: 'Dosar',
      address: 'noreply@rezultate.clinica.test',
    })
  })

  it('links only to the configured address, in every kind of mail', async () => {
    const server = await start()
    const examples = Object.values(exampleMails(URL, new Date('2026-01-31T22:30:00Z')))
    const contents: QueuedMail['content'][] = [
      { kind: 'invitation', inviter: 'Ilinca', link: null },
      ...examples.map(({ content }) => content),
    ]
    for (const content of contents) await queue(server, { content })
    await server.runJobs()
    expect(server.mail.arrived).toHaveLength(contents.length)
    for (const { mail } of server.mail.arrived) {
      const found = `${mail.text}\n${mail.html}`.match(/(https?:)?\/\/[^\s"<]+/g)!
      expect(found.filter((link) => link !== URL && !link.startsWith(`${URL}/`))).toEqual([])
    }
    const texts = server.mail.arrived.map(({ mail }) => mail.text)
    for (const said of [
      '01.02.2026, ora 00:30',
      '100 de parole greșite',
      '3 rezultate noi',
      'adresa nu există',
    ])
      expect(texts.some((text) => text!.includes(said))).toBe(true)
  })

  it('shows names as they are written, but no mail program turns them into links', async () => {
    const server = await start()
    const name = '<a href=//evil.test>Apasă</a>'
    const inviter = 'https://evil.test/x www.evil.test ion@evil.test'
    await queue(server, {
      to: { ...ANA, name },
      content: { kind: 'invitation', inviter, link: LINK },
    })
    await server.runJobs()
    const { text, html } = server.mail.arrived[0]!.mail
    const visible = text!.replaceAll('\u200b', '')
    expect(visible).toContain(`Bună, ${name},`)
    expect(visible).toContain(`${inviter} te invită`)
    expect(html).toContain('&lt;a href=')
    expect(html).not.toContain('<a href=/')
    for (const body of [text, html]) expect(body).not.toMatch(/evil\.test|:\/\/evil|www\.evil|ion@evil/)
  })
})

describe('a name or address with malicious content', () => {
  const NAMES = [
    'Ana\r\nBcc: evil@evil.test',
    'Ana\nBcc: evil@evil.test\n\nText',
    'Ana\r\n\r\n<b>corp</b>',
    'Ana\u2028Bcc: evil@evil.test',
    'Ana\u0085Bcc: evil@evil.test',
    'Ana\0Bcc: evil@evil.test',
    '"Ana" <evil@evil.test>, x',
    'evil@evil.test, ana',
    'grup: evil@evil.test;',
    '=?utf-8?Q?=0D=0ABcc:_evil@evil.test?=',
    '=?utf-8?B?DQpCY2M6IGV2aWxAZXZpbC50ZXN0?=',
    ') (evil@evil.test',
    '\\" <evil@evil.test>',
    'ș'.repeat(5_000),
    `${'grup:'.repeat(10_000)};`,
    '\u202eevil@evil.test',
    'Ana\rBcc: evil@evil.test',
    'Ana\u000bBcc: evil@evil.test',
    'Ana\n.\r\nMAIL FROM:<evil@evil.test>\r\n',
    '.\r\n.\r\nQUIT',
    'Ana\r\nContent-Type: text/html\r\n\r\n<script>',
    'Ana\u2029Subject: altul',
    '<a href="https://evil.test">Ana</a>',
    'Ana\t\r\n\tBcc: evil@evil.test',
    '=?us-ascii?Q?Ana=00Bcc?=',
    'Ana;evil@evil.test',
    "Ana' OR 1=1 --",
    '{{ana}} <%= ana %> %s',
    '\ud800 Ana \udfff',
    '   \r\n   ',
  ]
  const ADDRESSES = [
    'ana@exemplu.test\r\nBcc: evil@evil.test',
    'ana@exemplu.test,evil@evil.test',
    'ana@exemplu.test evil@evil.test',
    'ana@exemplu.test> RCPT TO:<evil@evil.test',
    '"ana@exemplu.test x"@evil.test',
    'grup: evil@evil.test;',
    '<evil@evil.test>',
    'ana@evil.test@exemplu.test',
    'ana＠evil.test',
    'ștefan@evil.test',
    'ana@[127.0.0.1]',
    '',
  ]

  it('reaches exactly one recipient, with the usual headers', async () => {
    const server = await start()
    await queue(server)
    await server.runJobs()
    const headers = server.mail.arrived[0]!.mail.headers.map(({ key }) => key)
    expect(headers).toContain('auto-submitted')

    const send = async (mail: Partial<QueuedMail>) => {
      const before = server.mail.arrived.length
      const id = await queue(server, mail)
      await server.runJobs()
      expect((await readMessage(server, id)).state).toBe('sent')
      expect(server.mail.arrived).toHaveLength(before + 1)
      const arrived = server.mail.arrived.at(-1)!
      expect([arrived.recipients, arrived.mail.headers.map(({ key }) => key)]).toEqual([
        [ANA.address],
        headers,
      ])
      expect([arrived.mail.to?.map(({ address }) => address), arrived.mail.cc, arrived.mail.bcc]).toEqual([
        [ANA.address],
        undefined,
        undefined,
      ])
      return arrived
    }
    for (const name of NAMES) {
      await send({ to: { ...ANA, name } })
      await send({ content: { kind: 'invitation', inviter: name, link: LINK } })
    }
    // The subject ends with the name of the site, and administrators type the sender.
    for (const name of NAMES.map((text) => text.replaceAll('\0', '').toWellFormed().slice(0, 200))) {
      await upsertSettings(server.db, { name, from_name: name, from_email: name })
      const { sender, mail } = await send({})
      expect([sender, mail.from?.address]).toEqual([
        'noreply@rezultate.clinica.test',
        'noreply@rezultate.clinica.test',
      ])
    }
  }, 60_000)

  it('reaches exactly one recipient, with the usual headers, in every kind of mail that has a name', async () => {
    const server = await start()
    expect(NAMES).toHaveLength(30)
    const at = new Date()
    const contentsWith = (name: string): QueuedMail['content'][] => [
      { kind: 'results', institution: name, fresh: 1, unopened: 2, recalled: 3 },
      { kind: 'passkey-added', passkey: name, at },
      { kind: 'address-changed', isNew: true, by: name },
      { kind: 'mail-failed', failed: name, at, code: name, path: '' },
    ]
    await queue(server)
    await server.runJobs()
    const { headers } = server.mail.arrived[0]!.mail
    for (const name of NAMES) {
      const kinds = contentsWith(name)
      for (const content of kinds)
        await queue(server, { to: { ...ANA, name }, content, about: { type: 'user', id: newId() } })
      await server.services.jobs.enqueue(server.db, 'announce-results', {})
      await server.runJobs()
      const arrived = server.mail.arrived.slice(-kinds.length)
      expect(arrived.map(({ recipients }) => recipients)).toEqual(kinds.map(() => [ANA.address]))
      for (const { mail, raw } of arrived) {
        expect(mail.headers.map(({ key }) => key)).toEqual(headers.map(({ key }) => key))
        expect([mail.cc, mail.bcc, mail.to?.length]).toEqual([undefined, undefined, 1])
        expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(bcc|cc|mail from|rcpt to):/im)
      }
    }
    expect(server.mail.arrived).toHaveLength(1 + NAMES.length * contentsWith('').length)
  }, 60_000)

  it('sends nothing to an invalid address and does not fail the caller', async () => {
    const server = await start()
    for (const address of ADDRESSES) {
      const id = await queue(server, { to: { ...ANA, address } })
      await server.runJobs()
      expect(await readMessage(server, id)).toMatchObject({
        state: 'failed',
        last_error: 'address',
        body: null,
        tries: 0,
      })
    }
    expect(server.mail.arrived).toEqual([])
  })
})

describe('a message', () => {
  it('is stored encrypted until it is sent, then deleted', async () => {
    const server = await start()
    const id = await queue(server)
    const kept = await readMessage(server, id)
    const token = LINK.split('/').at(-1)!
    expect(kept.body!.length).toBeGreaterThan(1_000)
    expect(kept.body!.includes(token)).toBe(false)
    expect(JSON.stringify({ ...kept, body: null })).not.toContain(token)
    await server.runJobs()
    expect((await readMessage(server, id)).body).toBeNull()
    expect(server.logged.join('')).not.toMatch(/ana@exemplu|Țurcanu|cont\/3q2/)
  })

  it('fails if its body cannot be decrypted', async () => {
    const server = await start()
    const id = await queue(server)
    await server.db
      .updateTable('message')
      .set({ body: Buffer.alloc(64) })
      .execute()
    await server.runJobs()
    expect(await readMessage(server, id)).toMatchObject({ state: 'failed', last_error: 'sealed', body: null })
  })

  it('waits for a mail server that is down', async () => {
    const server = await start()
    await server.mail.stop()
    const id = await queue(server)
    await expect(server.runJobs()).rejects.toThrow(MailFailure)
    expect(await readMessage(server, id)).toMatchObject({ state: 'queued', tries: 1, last_error: 'ESOCKET' })

    const back = await startMailServer(server.mail.port)
    onTestFinished(back.stop)
    await retrySending(server, id)
    expect(back.arrived.map(({ mail }) => mail.messageId)).toEqual([`<${id}@rezultate.clinica.test>`])
    expect(await readMessage(server, id)).toMatchObject({ state: 'sent', tries: 2, last_error: null })
    await retrySending(server, id)
    expect(back.arrived).toHaveLength(1)
  })

  it('is sent again after a broken connection, with the same message id', async () => {
    const server = await start()
    server.mail.failures.push('busy', 'cut', 'lost')
    const id = await queue(server)
    await expect(server.runJobs()).rejects.toThrow('451')
    for (let attempt = 1; attempt < 3; attempt++)
      await expect(retrySending(server, id)).rejects.toThrow(MailFailure)
    await retrySending(server, id)
    expect(server.mail.arrived.map(({ mail }) => mail.messageId)).toEqual(
      Array(2).fill(`<${id}@rezultate.clinica.test>`),
    )
    expect(await readMessage(server, id)).toMatchObject({ state: 'sent', tries: 4 })
  })

  it.each([
    ['unknown', 'bounced', '550'],
    ['spam', 'failed', '554'],
  ] as const)(
    'is not retried if the mail server rejects it permanently (%s)',
    async (failure, state, code) => {
      const server = await start()
      server.mail.failures.push(failure)
      const id = await queue(server)
      await server.runJobs()
      await retrySending(server, id)
      expect(await readMessage(server, id)).toMatchObject({
        state,
        last_error: code,
        tries: 1,
        body: null,
        sent_at: null,
      })
      expect(server.mail.arrived).toEqual([])
    },
  )

  it('fails after a day', async () => {
    const server = await start()
    server.mail.failures.push('busy', 'busy')
    const id = await queue(server)
    const age = (hours: number) =>
      server.db
        .updateTable('message')
        .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
        .execute()
    await age(23.9)
    await expect(server.runJobs()).rejects.toThrow(MailFailure)
    await age(24)
    await retrySending(server, id)
    expect(await readMessage(server, id)).toMatchObject({ state: 'failed', last_error: '451', body: null })
    const rows = await server.db.selectFrom('audit_event').select(['action', 'outcome']).execute()
    expect(rows).toEqual([{ action: 'message.send', outcome: 'failed' }])
  })

  it('is not sent if its transaction is rolled back', async () => {
    const server = await start()
    const undone = inTransaction(systemContext(server), async (tx) => {
      await queueMessage(tx, INVITATION)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
    expect(await server.db.selectFrom('message').select('id').execute()).toEqual([])
  })
})

describe('a mail that fails', () => {
  const invite = async (server: TestServer, email: string) => {
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin', name: 'Șefa' })
    const admin = await server.signIn('sefa@clinica.test')
    const { id } = await createUser(server.db, { email, status: 'invited' })
    await admin.runQuery('mutation ($userId: ID!) { resendInvitation(userId: $userId) { user { id } } }', {
      userId: id,
    })
  }

  it('is announced to the person who has caused it, without naming its recipient', async () => {
    const server = await start()
    await invite(server, 'nou@clinica.test')
    server.mail.failures.push('unknown')
    await server.runJobs()
    expect(server.mail.arrived.map(({ recipients }) => recipients)).toEqual([['sefa@clinica.test']])
    const { text, subject } = server.mail.arrived[0]!.mail
    expect(subject).toBe('Un mesaj nu a ajuns – Dosar')
    expect(text).toMatch(
      /Un mesaj pornit de tine pe .*\(„Invitație”\) nu a ajuns la destinatar: adresa nu există\./,
    )
    expect(text).toContain(`${URL}/admin?tab=mesaje&undelivered=true`)
    expect(server.mail.arrived[0]!.raw).not.toContain('nou@')
  })

  it('is announced to nobody if the notice itself fails, or the one who has caused it is suspended', async () => {
    const server = await start()
    await invite(server, 'nou@clinica.test')
    server.mail.failures.push('unknown', 'unknown')
    await server.runJobs()
    expect(server.mail.arrived).toEqual([])
    const kinds = await server.db
      .selectFrom('message')
      .select(['kind', 'state'])
      .orderBy('created_at')
      .execute()
    expect(kinds).toEqual([
      { kind: 'invitation', state: 'bounced' },
      { kind: 'mail-failed', state: 'bounced' },
    ])
    await server.db.deleteFrom('message').execute()
    const id = await queue(server, {
      causedBy: (await createUser(server.db, { email: 'x@clinica.test', status: 'suspended' })).id,
    })
    server.mail.failures.push('unknown')
    await server.runJobs()
    expect(await readMessage(server, id)).toMatchObject({ state: 'bounced' })
    expect(await server.db.selectFrom('message').select('id').execute()).toEqual([{ id }])
  })
})

describe('an administrator', () => {
  it('sees each kind of mail as the site writes it, with invented data [1.5]', async () => {
    const server = await start()
    await upsertSettings(server.db, { name: 'Clinica Șoimul', phone: '+40264555010' })
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    await createUser(server.db, { email: 'coleg@clinica.test', role: 'staff' })
    const PREVIEWS = '{ mailPreviews { kind name subject text } }'
    const { mailPreviews } = await (await server.signIn('sefa@clinica.test')).runQuery(PREVIEWS)
    expect(mailPreviews.map(({ kind }: { kind: string }) => kind)).toEqual(Object.keys(MAIL_KIND_NAMES))
    for (const { kind, subject, text } of mailPreviews) {
      expect(subject).toContain('Clinica Șoimul')
      // The recipient of a link is not named.
      const isOfLink = ['share', 'share-code', 'share-recalled'].includes(kind)
      const greeting = isOfLink ? /^Bună ziua,\n/ : /^Bună[^\n]* Exemplu,\n/
      expect(text).toMatch(greeting)
      expect(text).toContain('0264 555 010')
    }
    const colleague = await (await server.signIn('coleg@clinica.test')).graphql(PREVIEWS)
    expect(colleague.errors[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('sends a test mail to their own address', async () => {
    const server = await start()
    await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
    const { data } = await (await server.signIn('sefa@clinica.test')).graphql(
      'mutation { sendTestMessage { recipient kind state body } }',
    )
    expect(data.sendTestMessage).toEqual({
      recipient: 'sefa@clinica.test',
      kind: 'test',
      state: 'queued',
      body: null,
    })
    await server.runJobs()
    expect((await server.mail.waitFor('sefa@clinica.test')).mail.subject).toBe('Mesaj de probă – Dosar')
  })
})
