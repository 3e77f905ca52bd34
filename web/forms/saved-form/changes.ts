const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Lists and plain objects say what stands in them; everything else, a file for one, is one thing. */
const isOfParts = (value: unknown): value is Record<string, unknown> =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'

/** Empty is empty, however a field says it: a text '', a list [], an address without a part. */
function isSame(a: unknown, b: unknown): boolean {
  if (isOfParts(a) ? isOfParts(b) || isEmpty(b) : isEmpty(a) && isOfParts(b)) {
    const [left, right] = [a ?? {}, b ?? {}] as Record<string, unknown>[]
    return Object.keys({ ...left, ...right }).every((key) => isSame(left?.[key], right?.[key]))
  }
  return (isEmpty(a) && isEmpty(b)) || Object.is(a, b)
}

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
