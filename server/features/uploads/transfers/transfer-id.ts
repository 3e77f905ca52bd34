import { createHash } from 'node:crypto'

/**
 * Returns the id of the transfer that a user or an integration calls `key`: the same each time, and of no other sender, so that
 * a key that two senders choose is two transfers.
 */
export const transferIdOf = (senderId: string, key: string): string =>
  createHash('sha256').update(`${senderId} ${key}`).digest('hex').slice(0, 32)
