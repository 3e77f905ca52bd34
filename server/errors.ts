import { GraphQLError } from 'graphql'
import { type ErrorCode, type ErrorStatus, errorOf, type FieldError } from '../shared/errors.ts'

/**
 * An expected error: `code` and `status` for programs, `userMessage` (Romanian) for people, `message` for the
 * log. Any other error is unexpected and is sent as INTERNAL_SERVER_ERROR, without its text.
 */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly userMessage: string
  readonly fields: readonly FieldError[]
  /** The name of the thing that access was denied to, for the audit log; null for every other error. */
  readonly denied: string | null

  /** `userMessage`: the sentence of the table of errors if omitted. */
  constructor(
    error: ErrorCode | ErrorStatus,
    message: string,
    userMessage?: string,
    { fields = [], denied = null }: { fields?: readonly FieldError[]; denied?: string | null } = {},
  ) {
    super(message)
    this.name = 'UserError'
    const known = errorOf(error)
    this.code = known.code
    this.status = known.status
    this.userMessage = userMessage ?? known.message
    this.fields = fields
    this.denied = denied
  }
}

export const unauthenticated = () => new UserError('UNAUTHENTICATED', 'no valid session')

export const forbidden = (what: string) =>
  new UserError('FORBIDDEN', `not allowed: ${what}`, undefined, { denied: what })

/** For an act that requires a proof of the user's identity from the last minutes. */
export const freshProofRequired = () => new UserError('FRESH_PROOF_REQUIRED', 'no fresh proof')

/**
 * Also for a thing that exists but that the user may not see: the user must not be able to distinguish the
 * two cases.
 */
export const notFound = (what: string) =>
  new UserError('NOT_FOUND', `not found: ${what}`, undefined, { denied: what })

export const invalid = (fields: readonly FieldError[]) =>
  new UserError(
    'BAD_USER_INPUT',
    `invalid input: ${fields.map(({ field }) => field).join(', ')}`,
    fields.map(({ message }) => message).join(' '),
    { fields },
  )

/** A save with an outdated version is rejected, so that it does not overwrite the newer one. */
export const conflict = (what: string) => new UserError('CONFLICT', `stale version: ${what}`)

/** For a thing whose state no longer allows the action. */
export const invalidState = (message: string, userMessage: string) =>
  new UserError('CONFLICT', message, userMessage)

/**
 * For a GraphQL document or variable that the schema or its limits do not allow; `message` is English, for
 * programs.
 */
export const queryError = (message: string, code: ErrorCode = 'BAD_USER_INPUT') =>
  new GraphQLError(message, { extensions: { code } })
