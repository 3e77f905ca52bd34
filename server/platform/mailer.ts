import { createTransport } from 'nodemailer'

/** One mail to one person; `html` beside `text` says the same. */
export type Mail = {
  /** Becomes the Message-ID, so that a mail sent twice is known as the same one. */
  id: string
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** Resolves once the mail server has taken it; rejects with a MailFailure otherwise. */
  send(mail: Mail): Promise<void>
  stop(): void
}

/** Why a mail did not go: `code` is the reply of the mail server or what broke, without an address or any other text. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly code: string
  /** What the mail server will never take, however often it is asked: this recipient, or this message. */
  readonly refused: 'recipient' | 'message' | null

  constructor(code: string, refused: 'recipient' | 'message' | null) {
    super(`mail not sent: ${code}`)
    this.code = code
    this.refused = refused
  }
}

/** Milliseconds. */
const SMTP_TIMEOUT_MS = 20_000

/** Mail through the SMTP server of this address (`smtp://user:password@host:port`, or `smtps://`). */
export function openMailer(smtpUrl: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // A body is text that we wrote: never a file of the server, never an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ id, from, to, ...content }) => {
      try {
        await transport.sendMail({
          ...content,
          from,
          to,
          // Whom it goes to is said here once more, so that no header can add anybody.
          envelope: { from: from.address, to: [to.address] },
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          // Nobody's absence note answers it (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw toMailFailure(error)
      }
    },
    stop: () => transport.close(),
  }
}

/** By the command that it answers: what is wrong with us (the password, the sender) an administrator can still mend. */
const REJECTED_REPLY_CODES: Record<string, MailFailure['refused']> = {
  'RCPT TO': 'recipient',
  DATA: 'message',
}

type SmtpError = { code?: string; responseCode?: number; permanent?: boolean; command?: string }

function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode, permanent, command = '' } = error as SmtpError
  return new MailFailure(
    String(responseCode ?? code ?? 'unknown'),
    permanent ? (REJECTED_REPLY_CODES[command] ?? null) : null,
  )
}
