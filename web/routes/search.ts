import { stringifySearchWith } from '@tanstack/react-router'

/** Returns a parameter of an address as a text; undefined if it is missing or empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** Returns the value if it is one of the given values; otherwise undefined. */
export const oneOf = <Value extends string | number>(
  values: readonly Value[],
  value: unknown,
): Value | undefined => values.find((each) => each === value)

/** Returns the value if it is a valid date as yyyy-MM-dd; otherwise undefined. */
export const day = (value: unknown): string | undefined => {
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(value) : null
  return date && date.toJSON()?.slice(0, 10) === value ? String(value) : undefined
}

export const flag = (value: unknown): true | undefined =>
  value === true || value === 'true' ? true : undefined

/**
 * Returns those of the given values that a list in an address has, `a,b` as `stringifySearch` writes it;
 * undefined if it has none.
 */
export const someOf = <Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value[] | undefined => {
  const list = (Array.isArray(value) ? value : String(value ?? '').split(',')).flatMap(
    (item) => oneOf(values, item) ?? [],
  )
  return list.length > 0 ? list : undefined
}

/** Returns the values without those that are undefined, so that they do not appear in the address. */
export function defined<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/** Writes the parameters of an address: `?state=in_review`, a list as `?state=accepted,released`. */
export const stringifySearch = stringifySearchWith(
  (value) => (isTokenList(value) ? value.join(',') : JSON.stringify(value)),
  JSON.parse,
)

const isTokenList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && /^[a-z_]+$/.test(item))
