import { maskCnps } from '../../../shared/romania/cnp.ts'

/** As CNPs were masked once, `1******23457`: entries of the journal are never changed. */
const OLD_MASK = /(?<![\d*])[1-9]\*{6}\d(?=\d{4}(?!\d))/g

/** A text of the journal without whole CNPs, which people also write where they do not belong. */
export const maskText = (text: string): string => maskCnps(text).replace(OLD_MASK, '*********')

/** The changes of an entry, as JSON, with the CNPs in all of their texts masked. */
export const maskChanges = (changes: unknown): unknown =>
  JSON.parse(JSON.stringify(changes), (_key, value) => (typeof value === 'string' ? maskText(value) : value))
