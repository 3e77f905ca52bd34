import type { IconName } from '../base/icon.tsx'

/** One choice of a list. */
export interface Option<Id extends string = string> {
  id: Id
  label: string
  /** A second, quieter line. */
  description?: string | undefined
  icon?: IconName | undefined
  isDisabled?: boolean | undefined
}

/** Options under a heading of their own. */
export interface OptionGroup<Id extends string = string> {
  label: string
  options: readonly Option<Id>[]
}
