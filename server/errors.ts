import type { ErrorCode, FieldError } from '../shared/error-codes.ts'

/**
 * An expected error: `code` for programs, `userMessage` (Romanian) for people, `message` for the log. Any
 * other error is unexpected and is sent as INTERNAL_SERVER_ERROR, without its text.
 */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly userMessage: string
  readonly fields: readonly FieldError[]
  /** The name of the thing that access was denied to, for the audit log; null for every other error. */
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

/**
 * Also for a thing that exists but that the user may not see: the user must not be able to distinguish the
 * two cases.
 */
export const notFound = (what: string) =>
  new UserError('NOT_FOUND', `not found: ${what}`, 'Nu există sau nu ai acces.', { denied: what })

export const invalid = (fields: readonly FieldError[]) =>
  new UserError(
    'BAD_USER_INPUT',
    `invalid input: ${fields.map(({ field }) => field).join(', ')}`,
    fields.map(({ message }) => message).join(' '),
    { fields },
  )

/** A save with an outdated version is rejected, so that it does not overwrite the newer one. */
export const conflict = (what: string) =>
  new UserError(
    'CONFLICT',
    `stale version: ${what}`,
    'Între timp, altcineva a modificat aceste date. Reîncarcă pagina, apoi aplică din nou modificarea.',
  )

/** For a thing whose state no longer allows the action. */
export const invalidState = (message: string, userMessage: string) =>
  new UserError('CONFLICT', message, userMessage)
