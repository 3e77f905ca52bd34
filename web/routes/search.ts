import { stringifySearchWith } from '@tanstack/react-router'

/** Reads the parameters of an address: a text that is there and not empty, or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** One of the values that the address may name. */
export const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/** A day of the calendar, as yyyy-MM-dd. */
export const day = (value: unknown): string | undefined => {
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(value) : null
  return date && date.toJSON()?.slice(0, 10) === value ? String(value) : undefined
}

export const flag = (value: unknown): true | undefined =>
  value === true || value === 'true' ? true : undefined

/** Several words of an address: `a,b`, as `stringifySearch` writes them. */
export const texts = (value: unknown): string[] | undefined => {
  const list = (Array.isArray(value) ? value : String(value ?? '').split(',')).flatMap(
    (item) => text(item) ?? [],
  )
  return list.length > 0 ? list : undefined
}

/** Without what is undefined, so that it does not stand in the address. */
export function defined<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/** Writes the parameters of an address: `?state=in_review`, a list as `?state=accepted,released`. */
export const stringifySearch = stringifySearchWith(
  (value) => (isWords(value) ? value.join(',') : JSON.stringify(value)),
  JSON.parse,
)

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && /^[a-z_]+$/.test(item))
