import { createHmac, type KeyObject } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { DB } from '../../platform/database/types.generated.ts'

/** A row of the audit log; values that a double would round are texts as PostgreSQL writes them. */
export type AuditRecord = Omit<Selectable<DB['audit_event']>, 'id' | 'changes'> & {
  id: string
  changes: string | null
}

/** The hash before the first entry. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * Returns the canonical form of an entry, the same on every machine: a JSON array without spaces of all
 * columns as texts, in the order below, null where a value is missing, `at` as ISO 8601 in UTC with
 * milliseconds, `changes` as PostgreSQL's text of the jsonb value. JSON delimits each value, so two different
 * entries never have the same form.
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

/** Also formats `infinity`, which only a manipulated entry has and the verification must be able to read. */
const canonicalInstant = (at: Date | number): string =>
  at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at)

/**
 * HMAC-SHA-256 of the previous hash (32 bytes), the position (8 bytes, big endian) and the canonical entry
 * (UTF-8). The key is not in the database, so access to the database alone does not suffice to forge a chain.
 */
export function chainHash(key: KeyObject, previous: Buffer, position: number, canonical: string): Buffer {
  const positionBytes = Buffer.alloc(8)
  positionBytes.writeBigUInt64BE(BigInt(position))
  return createHmac('sha256', key).update(previous).update(positionBytes).update(canonical).digest()
}
