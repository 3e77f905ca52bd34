import { GraphQLError } from 'graphql'
import { FAULT_MESSAGE, UNAVAILABLE_MESSAGE } from '../../../shared/error-messages.ts'
import { UserError } from '../../errors.ts'
import { isDatabaseUnavailable, isInvalidValue } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'

const USER_MESSAGES = {
  UNAUTHENTICATED: 'Sesiunea a expirat. Este nevoie de o nouă autentificare.',
  BAD_USER_INPUT: 'Cererea nu poate fi citită.',
  UNAVAILABLE: UNAVAILABLE_MESSAGE,
  INTERNAL_SERVER_ERROR: FAULT_MESSAGE,
} as const

/** Returns a response without data, for a request that is rejected before its query runs. */
export const failure = (code: keyof typeof USER_MESSAGES) => ({
  errors: [{ message: USER_MESSAGES[code], extensions: { code } }],
})

/**
 * Returns the error as the client gets it: a UserError with its code, its Romanian sentence and its fields;
 * an unexpected error with the request's id alone, under which the log has the details.
 */
export function formatError(error: GraphQLError, services: Pick<Services, 'log'>, requestId: string) {
  const cause = error.originalError
  const path = error.path ? { path: error.path } : {}
  if (cause instanceof UserError) {
    const fields = cause.fields.length > 0 ? { fields: cause.fields } : {}
    return { message: cause.userMessage, ...path, extensions: { code: cause.code, ...fields } }
  }
  // Without a cause the error is of the query itself; a GraphQLError as the cause is of a variable or an
  // argument.
  if (!cause || cause instanceof GraphQLError)
    return { message: error.message, ...path, extensions: { code: 'BAD_USER_INPUT', ...error.extensions } }
  if (isInvalidValue(cause))
    return { message: USER_MESSAGES.BAD_USER_INPUT, ...path, extensions: { code: 'BAD_USER_INPUT' } }
  const code = isDatabaseUnavailable(cause) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'
  services.log.error('graphql: unexpected error', {
    request: requestId,
    path: error.path?.join('.'),
    ...errorFields(cause),
  })
  return { message: USER_MESSAGES[code], ...path, extensions: { code, errorId: requestId } }
}
