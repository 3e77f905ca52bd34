/** Close codes of the websocket after which a client does not come back by itself; after every other it does [8.14]. */
export const FATAL_CLOSE_CODES: ReadonlySet<number> = new Set([
  4400, 4401, 4403, 4406, 4409, 4429, 4500, 4005, 4004,
])

export const isFatalClose = (code: number): boolean => FATAL_CLOSE_CODES.has(code)

/**
 * Why our server closes a socket. What the client did wrong and would do again is final; what only time, another connection
 * or other rights can change is not. Beside these the protocol's own: 4406, 4408, 4409, and 1002, 1007, 1009 for broken
 * frames.
 */
export const CLOSE = {
  restart: { code: 1012, reason: 'Service Restart' },
  /** The database is away, or too many of the same address have not said yet who they are. */
  tryAgainLater: { code: 1013, reason: 'Try Again Later' },
  badMessage: { code: 4400, reason: 'Invalid message received' },
  /** No token or a wrong one, or the session has ended: coming back with it would change nothing. */
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  flood: { code: 4429, reason: 'Too many messages' },
  /** A newer connection of the same person took its place: who comes back at once would only push out the next. */
  displaced: { code: 4498, reason: 'Too many connections' },
  /** The person's rights are others now: whoever comes back is judged by those. */
  rightsChanged: { code: 4499, reason: 'Rights changed' },
  fault: { code: 4500, reason: 'Internal server error' },
} as const

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]
