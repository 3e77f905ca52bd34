import { maskCnp } from '../../../shared/romania/cnp.ts'

/** Returns the fields that differ with both values; a CNP is masked. */
export function listChanges<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): Record<string, { from: unknown; to: unknown }> {
  const masked = (field: string, value: unknown) =>
    field === 'cnp' && value ? maskCnp(String(value)) : value
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { from: masked(field, before[field]), to: masked(field, after[field]) }]),
  )
}
