/** The codes for programs, in `errors[].extensions.code` and in the JSON errors of other routes. */
export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'TOO_MANY',
  'UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** An error in one input field: the field's name in the input and a Romanian sentence. */
export type FieldError = { field: string; message: string }
