import { maskCnps } from '../../../shared/romania/cnp.ts'

/** The former mask, `1******23457`, in old entries: entries of the audit log are never changed. */
const OLD_MASK = /(?<![\d*])[1-9]\*{6}\d(?=\d{4}(?!\d))/g

/** Masks every CNP in a text of the audit log; people also write them in fields that are not for CNPs. */
export const maskText = (text: string): string => maskCnps(text).replace(OLD_MASK, '*********')

/** Returns the changes of an entry with the CNPs in all their texts masked. */
export const maskChanges = (changes: unknown): unknown =>
  JSON.parse(JSON.stringify(changes), (_key, value) => (typeof value === 'string' ? maskText(value) : value))
