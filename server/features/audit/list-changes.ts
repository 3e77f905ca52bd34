import { maskCnp } from '../../../shared/romania/cnp.ts'

/** The fields that differ, with both values; a CNP only masked. */
export function listChanges<Row extends object>(
  before: Row,
  after: Row,
  fields: readonly (keyof Row & string)[],
): Record<string, { from: unknown; to: unknown }> {
  const shown = (field: string, value: unknown) => (field === 'cnp' && value ? maskCnp(String(value)) : value)
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { from: shown(field, before[field]), to: shown(field, after[field]) }]),
  )
}
