/**
 * Close codes of the websocket after which the client does not reconnect; after every other code it does
 * [8.14].
 */
export const FATAL_CLOSE_CODES: ReadonlySet<number> = new Set([
  4400, 4401, 4403, 4406, 4409, 4429, 4500, 4005, 4004,
])

export const isFatalClose = (code: number): boolean => FATAL_CLOSE_CODES.has(code)

/**
 * Why the server closes a socket. Errors that the client would repeat are final; those that time, another
 * connection or other permissions can resolve are not. The protocol adds its own codes: 4406, 4408, 4409, and
 * 1002, 1007, 1009 for invalid frames.
 */
export const CLOSE = {
  restart: { code: 1012, reason: 'Service Restart' },
  /** The database is unavailable, or too many connections from one address are not authenticated yet. */
  tryAgainLater: { code: 1013, reason: 'Try Again Later' },
  badMessage: { code: 4400, reason: 'Invalid message received' },
  /**
   * The token is missing or wrong, or the session has ended: reconnecting with the same token would fail
   * again.
   */
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  flood: { code: 4429, reason: 'Too many messages' },
  /**
   * A newer connection of the same user replaced this one: an immediate reconnect would close the next one.
   */
  displaced: { code: 4498, reason: 'Too many connections' },
  /** The user's permissions have changed; a new connection gets the new ones. */
  rightsChanged: { code: 4499, reason: 'Rights changed' },
  fault: { code: 4500, reason: 'Internal server error' },
} as const

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]
