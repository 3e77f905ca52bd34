import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

/** A mail as it came over the wire, beside what a mail program makes of it. */
export type ReceivedMail = {
  /** Of the envelope: from whom, and to whom it really goes. */
  sender: string
  recipients: string[]
  raw: string
  mail: Email
  /** The first address in its text, or null. */
  link: string | null
}

/**
 * What the server does with the next mail: takes it not for now (`busy`), never for this recipient (`unknown`), never at
 * all (`spam`), or the line breaks when the mail has begun (`cut`) or is all there and not yet acknowledged (`lost`).
 */
export type MailFailureKind = 'busy' | 'unknown' | 'spam' | 'cut' | 'lost'

export type MailServer = {
  /** What to configure as SMTP_URL. */
  url: string
  port: number
  /** All that has arrived whole, acknowledged or not, in order. */
  arrived: ReceivedMail[]
  /** The newest mail to this address, as soon as there are `count` of them. Rejects after ten seconds. */
  waitFor(address: string, count?: number): Promise<ReceivedMail>
  /** These happen to the next mails, one each. */
  mishaps: MailFailureKind[]
  stop(): Promise<void>
}

const AT_RECIPIENT: Partial<Record<MailFailureKind, number>> = { busy: 451, unknown: 550 }
/** Milliseconds. */
const MAIL_TIMEOUT_MS = 60_000

/** A real mail server of this machine; pass the port of one that was stopped to have it back. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const arrived: ReceivedMail[] = []
  const mishaps: MailFailureKind[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) => {
      const response = mishaps[0] && AT_RECIPIENT[mishaps[0]]
      if (response) mishaps.shift()
      done(response ? rejection(response) : null)
    },
    onData: async (stream, { envelope }, done) => {
      const mishap = mishaps.shift()
      if (mishap === 'cut') {
        stream.once('data', breakLines)
        stream.resume()
        return
      }
      const raw = await readAll(stream)
      if (mishap === 'spam') return done(rejection(554))
      const mail = await PostalMime.parse(raw)
      arrived.push({
        sender: envelope.mailFrom ? envelope.mailFrom.address : '',
        recipients: envelope.rcptTo.map(({ address }) => address),
        raw: raw.toString('utf8'),
        mail,
        link: /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? null,
      })
      if (mishap === 'lost') breakLines()
      else done()
      for (const look of waiting) look()
    },
  })
  // A client whose line breaks is what some tests are about.
  server.on('error', () => undefined)
  function breakLines() {
    for (const connection of server.connections) connection._socket.destroy()
  }
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const listening = (server.server.address() as AddressInfo).port

  return {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    arrived,
    mishaps,
    waitFor: (address, count = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = arrived.filter(({ recipients }) => recipients.includes(address))
          if (found.length < count) return
          end()
          resolve(found.at(-1)!)
        }
        const timer = setTimeout(() => {
          end()
          reject(new Error(`no mail to ${address}; arrived: ${arrived.map(({ recipients }) => recipients)}`))
        }, MAIL_TIMEOUT_MS)
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
    stop: async () => {
      breakLines()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

const rejection = (responseCode: number) => Object.assign(new Error('refused'), { responseCode })

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
