import { eq } from '@formkit/utils'

/** Empty is empty, however a field says it. */
const isSame = (a: unknown, b: unknown): boolean =>
  eq(a === '' ? null : (a ?? null), b === '' ? null : (b ?? null))

/** The fields of which `after` says something else than `before`; fields that only `after` has do not count. */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(before) as (keyof Values & string)[]
  return names.filter((name) => !isSame(before[name], after[name]))
}

/**
 * Somebody else has saved while the form was open: what was typed here stays, the rest takes their values. `both` are the
 * fields that the two have changed differently.
 */
export function mergeChanges<Values extends object>(
  before: Values,
  mine: Values,
  theirs: Values,
): { values: Values; both: (keyof Values & string)[] } {
  const edited = changedFields(before, mine)
  const values = { ...theirs, ...Object.fromEntries(edited.map((name) => [name, mine[name]])) }
  const both = changedFields(before, theirs).filter(
    (name) => edited.includes(name) && !isSame(mine[name], theirs[name]),
  )
  return { values, both }
}
