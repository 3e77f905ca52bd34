/**
 * Returns the entry of a code; null if there is no code or it is unknown, as it may be in an old entry of the audit log or
 * in a result of another service.
 */
export const lookUp = <T>(entries: Readonly<Record<string, T>>, code: string | null): T | null =>
  code !== null && Object.hasOwn(entries, code) ? entries[code]! : null
