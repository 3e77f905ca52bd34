import { createHmac, type KeyObject } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { DB } from '../../platform/database/types.generated.ts'

/** A row of the journal, whole; what a double would round, as the text that PostgreSQL has for it. */
export type AuditRecord = Omit<Selectable<DB['audit_event']>, 'id' | 'changes'> & {
  id: string
  changes: string | null
}

/** Before the first entry. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * The one way to write an entry down, the same on every machine: a JSON array without spaces of all its columns in the
 * order below as texts, what is missing as null (which an empty text is not), the instant as ISO 8601 in UTC with
 * milliseconds, `changes` as the one text that PostgreSQL has for a jsonb value. A JSON array says itself where each value
 * ends, so no two entries are written alike.
 */
export function canonicalEntry(entry: AuditRecord): string {
  return JSON.stringify([
    entry.id,
    canonicalInstant(entry.at),
    entry.actor_id,
    entry.actor_name,
    entry.role,
    entry.origin,
    entry.action,
    entry.subject_type,
    entry.subject_id,
    entry.subject_ids,
    entry.patient_id,
    entry.outcome,
    entry.changes,
    entry.ip,
    entry.user_agent,
    entry.request_id,
  ])
}

/** PostgreSQL also knows `infinity`, which no entry of ours has: it must be read to be found wrong. */
const canonicalInstant = (at: Date | number): string =>
  at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at)

/**
 * HMAC-SHA-256 of the hash before (32 bytes), the position (8 bytes, big endian) and the canonical entry (UTF-8), so that
 * nobody links entries who has the database alone.
 */
export function chainHash(key: KeyObject, previous: Buffer, position: number, canonical: string): Buffer {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(position))
  return createHmac('sha256', key).update(previous).update(place).update(canonical).digest()
}
