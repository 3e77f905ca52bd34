import type { Outcome } from '../../../shared/audit/outcomes.ts'

/** The filters of the audit log, as in the address. Days are yyyy-MM-dd, both inclusive. */
export interface LogFilters {
  from?: string
  to?: string
  person?: string
  action?: string
  patient?: string
  outcome?: Outcome
  /**
   * Whether entries of list reads are included; otherwise they are left out, unless the filter names such an
   * action.
   */
  reads?: true
}

/** Returns the filters as variables of the query. */
export const toVariables = ({ from, to, person, action, patient, outcome, reads }: LogFilters) => ({
  from: from ?? null,
  to: to ?? null,
  actorId: person ?? null,
  action: action ?? null,
  patientId: patient ?? null,
  outcome: outcome ?? null,
  withoutReads: reads || action ? null : true,
})

/** Returns the filters with one of them set, or removed by null. */
export function withLogFilter<Name extends keyof LogFilters>(
  filters: LogFilters,
  name: Name,
  value: LogFilters[Name] | null,
): LogFilters {
  const { [name]: _, ...rest } = filters
  return value ? { ...rest, [name]: value } : rest
}
