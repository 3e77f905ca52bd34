import type { Option } from '../../../ui/options/option.ts'

/** Returns dropdown options from names by code. */
export const nameOptions = (names: Readonly<Record<string, string>>): Option[] =>
  Object.entries(names).map(([id, label]) => ({ id, label }))
