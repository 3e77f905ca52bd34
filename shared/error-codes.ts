/** What a program reads in `errors[].extensions.code` and in JSON answers of the other doors. */
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

/** One field of a refused input: its name in the input and a Romanian sentence. */
export type FieldError = { field: string; message: string }
