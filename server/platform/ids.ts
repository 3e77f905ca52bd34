import { randomBytes } from 'node:crypto'

/**
 * Returns a UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits, so that the ids of a table sort by
 * creation.
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Whether the text is an id as the product writes ids (lower case, with hyphens). No other text can name a
 * row.
 */
export const isId = (text: string): boolean => UUID.test(text)
