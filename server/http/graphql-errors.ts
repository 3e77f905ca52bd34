import { GraphQLError } from 'graphql'
import { FAULT, UNAVAILABLE } from '../../shared/error-sentences.ts'
import { Refusal } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { isDatabaseAway, isValueRefused } from '../platform/database.ts'
import { errorFacts } from '../platform/log.ts'

const PERSON_MESSAGES = {
  UNAUTHENTICATED: 'Sesiunea a expirat. Este nevoie de o nouă autentificare.',
  BAD_USER_INPUT: 'Cererea nu poate fi citită.',
  UNAVAILABLE: UNAVAILABLE,
  INTERNAL_SERVER_ERROR: FAULT,
} as const

/** An answer without data, for what is refused before a query runs. */
export const failure = (code: keyof typeof PERSON_MESSAGES) => ({
  errors: [{ message: PERSON_MESSAGES[code], extensions: { code } }],
})

/** A Refusal keeps its code, its Romanian sentence and its fields; of a fault only the request's id is told. */
export function formatError(error: GraphQLError, parts: Pick<Parts, 'log'>, requestId: string) {
  const cause = error.originalError
  const path = error.path ? { path: error.path } : {}
  if (cause instanceof Refusal) {
    const fields = cause.fields.length > 0 ? { fields: cause.fields } : {}
    return { message: cause.personMessage, ...path, extensions: { code: cause.code, ...fields } }
  }
  // The second kind is what the library says of a variable or an argument.
  if (!cause || cause instanceof GraphQLError)
    return { message: error.message, ...path, extensions: { code: 'BAD_USER_INPUT', ...error.extensions } }
  if (isValueRefused(cause))
    return { message: PERSON_MESSAGES.BAD_USER_INPUT, ...path, extensions: { code: 'BAD_USER_INPUT' } }
  const code = isDatabaseAway(cause) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'
  parts.log.error('graphql: fault', { request: requestId, path: error.path?.join('.'), ...errorFacts(cause) })
  return { message: PERSON_MESSAGES[code], ...path, extensions: { code, errorId: requestId } }
}
