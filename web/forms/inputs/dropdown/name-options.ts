import type { Option } from '../../../ui/options/option.ts'

/** Names by their codes as the options of a dropdown. */
export const nameOptions = (names: Readonly<Record<string, string>>): Option[] =>
  Object.entries(names).map(([id, label]) => ({ id, label }))
