import type { IconName } from '../base/icon.tsx'

/** One option of a list. */
export interface Option<Id extends string = string> {
  id: Id
  label: string
  /** A second line in muted text. */
  description?: string | undefined
  icon?: IconName | undefined
  isDisabled?: boolean | undefined
}

/** Options under a heading. */
export interface OptionGroup<Id extends string = string> {
  label: string
  options: readonly Option<Id>[]
}
