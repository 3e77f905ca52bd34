const RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * Returns the range of a `Range` header, both ends inclusive (RFC 9110). Null when the whole file is the
 * right response: no header, several ranges, or an unknown form.
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first, last] = RANGE.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start >= size || start > end ? 'unsatisfiable' : { start, end }
}
