import type { ErrorCode, FieldError } from '../shared/error-codes.ts'

/**
 * An expected refusal: `code` for programs, `personMessage` (Romanian) for people, `message` for the log.
 * Everything that is not a UserError is a fault and leaves the server as INTERNAL_SERVER_ERROR without its text.
 */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly userMessage: string
  readonly fields: readonly FieldError[]
  /** What was reached for in vain, in words of ours, for the journal; null for every other refusal. */
  readonly denied: string | null

  constructor(
    code: ErrorCode,
    message: string,
    userMessage: string,
    { fields = [], denied = null }: { fields?: readonly FieldError[]; denied?: string | null } = {},
  ) {
    super(message)
    this.name = 'UserError'
    this.code = code
    this.userMessage = userMessage
    this.fields = fields
    this.denied = denied
  }
}

export const unauthenticated = () =>
  new UserError(
    'UNAUTHENTICATED',
    'no valid session',
    'Sesiunea a expirat. Este nevoie de o nouă autentificare.',
  )

export const forbidden = (what: string) =>
  new UserError('FORBIDDEN', `not allowed: ${what}`, 'Nu ai dreptul să faci acest lucru.', { denied: what })

/** Also the answer for what exists but may not be seen: the two must not be told apart. */
export const notFound = (what: string) =>
  new UserError('NOT_FOUND', `not found: ${what}`, 'Nu există sau nu ai acces.', { denied: what })

export const invalid = (fields: readonly FieldError[]) =>
  new UserError(
    'BAD_USER_INPUT',
    `invalid input: ${fields.map(({ field }) => field).join(', ')}`,
    fields.map(({ message }) => message).join(' '),
    { fields },
  )

/** A save with an old version: what the other person saved stays. */
export const conflict = (what: string) =>
  new UserError(
    'CONFLICT',
    `stale version: ${what}`,
    'Între timp, altcineva a modificat aceste date. Reîncarcă pagina, apoi aplică din nou modificarea.',
  )

/** The thing is no longer in a state that allows the action. */
export const invalidState = (message: string, userMessage: string) =>
  new UserError('CONFLICT', message, userMessage)
