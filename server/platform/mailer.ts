/** A mail to one person; `html` and `text` have the same content. */
export type Mail = {
  /** Becomes the Message-ID, so that a mail that was sent twice can be recognised. */
  id: string
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** Resolves when the mail server has accepted the mail; rejects with MailFailure otherwise. */
  send(mail: Mail): Promise<void>
  stop(): void
}

/**
 * Why a mail was not sent. `code` is the mail server's reply code or the code of the connection error, never
 * an address or other text.
 */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly code: string
  /** What the mail server has rejected permanently; null when a retry may succeed. */
  readonly rejected: 'recipient' | 'message' | null

  constructor(code: string, rejected: 'recipient' | 'message' | null) {
    super(`mail not sent: ${code}`)
    this.code = code
    this.rejected = rejected
  }
}

const SMTP_TIMEOUT_MS = 20_000

/** Sends mail through the SMTP server at this URL (`smtp://user:password@host:port`, or `smtps://`). */
export function openMailer(smtpUrl: string): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined
  return {
    send: async ({ id, from, to, ...content }) => {
      opened ??= openTransport(smtpUrl)
      const transport = await opened.catch((error: unknown) => {
        // The import is repeated for the next mail.
        opened = undefined
        throw error
      })
      try {
        await transport.sendMail({
          ...content,
          from,
          to,
          // An explicit envelope, so that no header can add a recipient.
          envelope: { from: from.address, to: [to.address] },
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          // Keeps automatic replies (out of office) away (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw toMailFailure(error)
      }
    },
    stop: () => {
      opened?.then(
        (transport) => transport.close(),
        () => undefined,
      )
    },
  }
}

/** Imports the library with the first mail: a server that sends none saves its memory. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    pool: true,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // Bodies are texts of the product: nodemailer must never read a file of the server or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * What a permanent rejection of an SMTP command concerns. Other commands (the password, the sender) are left
 * out: an administrator can correct those settings, so a retry may succeed.
 */
const REJECTED_BY_COMMAND: Record<string, MailFailure['rejected']> = {
  'RCPT TO': 'recipient',
  DATA: 'message',
}

type SmtpError = { code?: string; responseCode?: number; permanent?: boolean; command?: string }

function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode, permanent, command = '' } = error as SmtpError
  return new MailFailure(
    String(responseCode ?? code ?? 'unknown'),
    permanent ? (REJECTED_BY_COMMAND[command] ?? null) : null,
  )
}
