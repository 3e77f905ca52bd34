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

/** Returns the options without their groups, in order. */
export const flatOptions = <Id extends string>(
  options: readonly (Option<Id> | OptionGroup<Id>)[],
): Option<Id>[] => options.flatMap((entry) => ('options' in entry ? entry.options : [entry]))

/** Returns the options with these ids, in the order of the ids; ids of no option are left out. */
export const findOptions = <Id extends string>(
  ids: readonly Id[],
  options: readonly Option<Id>[],
): Option<Id>[] => ids.flatMap((id) => options.find((option) => option.id === id) ?? [])
