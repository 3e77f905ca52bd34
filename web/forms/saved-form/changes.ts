const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/**
 * Whether a value is compared by its elements: lists and plain objects. Other objects, such as a file, are
 * compared by identity.
 */
const isComposite = (value: unknown): value is Record<string, unknown> =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'

/** Whether two values are equal. All empty values are equal: '', null, [], an address without content. */
function isSame(a: unknown, b: unknown): boolean {
  if (isComposite(a) ? isComposite(b) || isEmpty(b) : isEmpty(a) && isComposite(b)) {
    const [left, right] = [a ?? {}, b ?? {}] as Record<string, unknown>[]
    return Object.keys({ ...left, ...right }).every((key) => isSame(left?.[key], right?.[key]))
  }
  return (isEmpty(a) && isEmpty(b)) || Object.is(a, b)
}

/**
 * Returns the names of the fields that differ between `before` and `after`; fields that only `after` has are
 * ignored.
 */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
): (keyof Values & string)[] {
  const names = Object.keys(before) as (keyof Values & string)[]
  return names.filter((name) => !isSame(before[name], after[name]))
}

/**
 * Merges local changes (`mine`) with values that another user saved in the meantime (`theirs`): local changes
 * win. `both` lists the fields that the two users changed differently.
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
