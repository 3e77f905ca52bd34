import { z } from 'zod'
import { AUDIT_ACTIONS } from '../../../shared/audit/audit-actions.ts'
import { OUTCOMES } from '../../../shared/audit/outcomes.ts'
import type { UserActor } from '../../context.ts'
import { isId } from '../../platform/ids.ts'
import { optionalOneOf, parseInput } from '../../validation.ts'
import { canReadWholeAuditLog } from './audit.access.ts'
import type { AuditFilter } from './audit.db.ts'

const blankAsNull = (value: unknown) => (value === '' ? null : (value ?? null))
/** Rejects years that PostgreSQL does not accept, such as year 0. */
const day = (label: string) => {
  const error = `${label} nu este o dată validă.`
  return z.preprocess(
    blankAsNull,
    z.iso
      .date(error)
      .refine((text) => text >= '1850-01-01', { error })
      .nullable(),
  )
}
const id = z.preprocess(blankAsNull, z.string().nullable())

const filter = z.object({
  from: day('Prima zi'),
  to: day('Ultima zi'),
  actorId: id,
  patientId: id,
  action: z.preprocess(blankAsNull, z.string().max(100).nullable()),
  outcome: optionalOneOf('Rezultatul', OUTCOMES),
  // A text when the filter comes from a URL.
  withoutReads: z.preprocess(
    (value) => (value === true || value === 'true' ? true : null),
    z.literal(true).nullable(),
  ),
})

/** The filters as a client sends them. */
export type AuditFilterInput = {
  [Name in Exclude<keyof AuditFilter, 'withoutReads'>]?: string | null | undefined
} & {
  withoutReads?: boolean | string | null | undefined
}

/**
 * Returns the filter that the actor may apply: administrators see every entry, staff only their own. Returns
 * null if nothing can match, as for an unknown action or a malformed id. Throws BAD_USER_INPUT for an invalid
 * date or outcome.
 */
export function readAuditFilter(actor: UserActor, input: AuditFilterInput): AuditFilter | null {
  const { from, to, actorId, patientId, action, outcome, withoutReads } = input
  const requested = parseInput(filter, { from, to, actorId, patientId, action, outcome, withoutReads })
  if ([requested.actorId, requested.patientId].some((each) => each !== null && !isId(each))) return null
  if (requested.action !== null && !Object.hasOwn(AUDIT_ACTIONS, requested.action)) return null
  if (canReadWholeAuditLog(actor)) return requested
  return requested.actorId === null || requested.actorId === actor.id
    ? { ...requested, actorId: actor.id }
    : null
}
