import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

/** A mail as it was received, and as a mail program parses it. */
export type ReceivedMail = {
  /** Sender and recipients of the envelope. */
  sender: string
  recipients: string[]
  raw: string
  mail: Email
  /** The first address in its text, or null. */
  link: string | null
}

/**
 * How the server fails the next mail: rejects it for now (`busy`), for this recipient (`unknown`) or
 * permanently (`spam`), or closes the connection when the mail has begun (`cut`) or was received but not yet
 * acknowledged (`lost`).
 */
export type MailFailureKind = 'busy' | 'unknown' | 'spam' | 'cut' | 'lost'

export type MailServer = {
  /** The value for SMTP_URL. */
  url: string
  port: number
  /** All completely received mails, acknowledged or not, in order. */
  arrived: ReceivedMail[]
  /**
   * Resolves with the newest mail to this address once `count` of them have arrived. Rejects after
   * MAIL_TIMEOUT_MS.
   */
  waitFor(address: string, count?: number): Promise<ReceivedMail>
  /** Failures of the next mails, one each. */
  failures: MailFailureKind[]
  /** What happens after the next mail was received and before it is acknowledged. */
  beforeYes: (() => Promise<void>) | null
  stop(): Promise<void>
}

const AT_RECIPIENT: Partial<Record<MailFailureKind, number>> = { busy: 451, unknown: 550 }
const MAIL_TIMEOUT_MS = 60_000

/**
 * Starts a real mail server on this machine; the port of a stopped server starts it again at the same
 * address.
 */
export async function startMailServer(port = 0): Promise<MailServer> {
  const arrived: ReceivedMail[] = []
  const failures: MailFailureKind[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: (_address, _session, done) => {
      const response = failures[0] && AT_RECIPIENT[failures[0]]
      if (response) failures.shift()
      done(response ? rejection(response) : null)
    },
    onData: async (stream, { envelope }, done) => {
      const failure = failures.shift()
      if (failure === 'cut') {
        stream.once('data', closeConnections)
        stream.resume()
        return
      }
      const raw = await readAll(stream)
      if (failure === 'spam') return done(rejection(554))
      const mail = await PostalMime.parse(raw)
      arrived.push({
        sender: envelope.mailFrom ? envelope.mailFrom.address : '',
        recipients: envelope.rcptTo.map(({ address }) => address),
        raw: raw.toString('utf8'),
        mail,
        link: /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? null,
      })
      const { beforeYes } = mailServer
      mailServer.beforeYes = null
      await beforeYes?.()
      if (failure === 'lost') closeConnections()
      else done()
      for (const look of waiting) look()
    },
  })
  // Some tests break the connection of a client.
  server.on('error', () => undefined)
  function closeConnections() {
    for (const connection of server.connections) connection._socket.destroy()
  }
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const listening = (server.server.address() as AddressInfo).port

  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${listening}`,
    port: listening,
    arrived,
    failures,
    beforeYes: null,
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
      closeConnections()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
  return mailServer
}

const rejection = (responseCode: number) => Object.assign(new Error('rejected'), { responseCode })

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
