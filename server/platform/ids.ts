import { randomBytes } from 'node:crypto'

let millisecond = 0
let count = 0

/**
 * Returns a UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 bits that count the ids of one millisecond, then random bits,
 * so that the ids which one process makes sort by creation.
 */
export function newId(): string {
  const now = Date.now()
  count = now > millisecond ? 0 : (count + 1) % 4096
  // The clock may go back, and a millisecond may have more ids than the count holds.
  millisecond = Math.max(now, count === 0 ? millisecond + 1 : millisecond)
  const bytes = randomBytes(16)
  bytes.writeUIntBE(millisecond, 0, 6)
  bytes.writeUInt16BE(0x7000 | count, 6)
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
