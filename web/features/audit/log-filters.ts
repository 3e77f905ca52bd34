import type { Outcome } from '../../../shared/audit/outcomes.ts'

/** What narrows the journal, as the address says it. Days are yyyy-MM-dd, both included. */
export interface LogFilters {
  from?: string
  to?: string
  person?: string
  action?: string
  patient?: string
  outcome?: Outcome
  /** With what only read a list; without it those entries are left out, unless one of them is asked for. */
  reads?: true
}

/** The same as the server is asked. */
export const requestedFilters = ({ from, to, person, action, patient, outcome, reads }: LogFilters) => ({
  from: from ?? null,
  to: to ?? null,
  actorId: person ?? null,
  action: action ?? null,
  patientId: patient ?? null,
  outcome: outcome ?? null,
  withoutReads: reads || action ? null : true,
})

/** The filters with one of them set, or taken away by null. */
export function withLogFilter<Name extends keyof LogFilters>(
  filters: LogFilters,
  name: Name,
  value: LogFilters[Name] | null,
): LogFilters {
  const { [name]: _, ...others } = filters
  return value ? { ...others, [name]: value } : others
}
