import { GraphQLError } from 'graphql'
import { type ErrorStatus, errorOf } from '../../../shared/errors.ts'
import { UserError } from '../../errors.ts'
import { isDatabaseUnavailable, isInvalidValue } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'

/** Returns a response without data, for a request that is rejected before its query runs. */
export function failure(status: ErrorStatus) {
  const { code, message } = errorOf(status)
  return { errors: [{ message, extensions: { code } }] }
}

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
  if (isInvalidValue(cause)) {
    const { code, message } = errorOf('BAD_USER_INPUT')
    return { message, ...path, extensions: { code } }
  }
  const { code, message } = errorOf(isDatabaseUnavailable(cause) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR')
  services.log.error('graphql: unexpected error', {
    request: requestId,
    path: error.path?.join('.'),
    ...errorFields(cause),
  })
  return { message, ...path, extensions: { code, errorId: requestId } }
}
