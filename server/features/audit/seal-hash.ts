import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { DB } from '../../../db/types.generated.ts'

/** A row of the journal, whole. */
export type AuditRecord = Selectable<DB['audit_event']>

/** Before the first entry. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * The one way to write an entry down, the same on every machine: a JSON array without spaces of all its columns in the
 * order below, numbers and texts as JSON writes them, what is missing as null (which an empty text is not), the instant
 * as ISO 8601 in UTC with milliseconds, the keys of `changes` in the order of their code units at every depth. A JSON array
 * says itself where each value ends, so no two entries are written alike.
 */
export function canonicalEntry(entry: AuditRecord): string {
  return canonicalJson([
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

function canonicalJson(value: unknown): string {
  if (typeof value === 'number' || value === null) return String(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const pairs = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`)
  return `{${pairs.join(',')}}`
}

/** SHA-256 of the hash before (32 bytes), the position (8 bytes, big endian) and the canonical entry (UTF-8). */
export function sealHash(previous: Buffer, position: number, canonical: string): Buffer {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(position))
  return createHash('sha256').update(previous).update(place).update(canonical).digest()
}
