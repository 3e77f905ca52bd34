import type { ErrorCode, FieldError } from '../shared/error-codes.ts'

/**
 * An expected refusal: `code` for programs, `personMessage` (Romanian) for people, `message` for the log.
 * Everything that is not a Refusal is a fault and leaves the server as INTERNAL_SERVER_ERROR without its text.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly personMessage: string
  readonly fields: readonly FieldError[]
  /** What was reached for in vain, in words of ours, for the journal; null for every other refusal. */
  readonly denied: string | null

  constructor(
    code: ErrorCode,
    message: string,
    personMessage: string,
    { fields = [], denied = null }: { fields?: readonly FieldError[]; denied?: string | null } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.personMessage = personMessage
    this.fields = fields
    this.denied = denied
  }
}

export const unauthenticated = () =>
  new Refusal(
    'UNAUTHENTICATED',
    'no valid session',
    'Sesiunea a expirat. Este nevoie de o nouă autentificare.',
  )

export const forbidden = (what: string) =>
  new Refusal('FORBIDDEN', `not allowed: ${what}`, 'Nu ai dreptul să faci acest lucru.', { denied: what })

/** Also the answer for what exists but may not be seen: the two must not be told apart. */
export const notFound = (what: string) =>
  new Refusal('NOT_FOUND', `not found: ${what}`, 'Nu există sau nu ai acces.', { denied: what })

export const invalid = (fields: readonly FieldError[]) =>
  new Refusal(
    'BAD_USER_INPUT',
    `invalid input: ${fields.map(({ field }) => field).join(', ')}`,
    fields.map(({ message }) => message).join(' '),
    { fields },
  )

/** A save with an old version: what the other person saved stays. */
export const conflict = (what: string) =>
  new Refusal(
    'CONFLICT',
    `stale version: ${what}`,
    'Între timp, altcineva a modificat aceste date. Reîncarcă pagina, apoi aplică din nou modificarea.',
  )

/** The thing is no longer in a state that allows the action. */
export const wrongState = (message: string, personMessage: string) =>
  new Refusal('CONFLICT', message, personMessage)
