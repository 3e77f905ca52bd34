import { parseCnp, type Sex } from '../../../../shared/romania/cnp.ts'

const CNP_DIGITS = 13

/**
 * Returns the birth date (yyyy-MM-dd) and the sex that a CNP encodes; null for what it does not encode, and
 * for both if the CNP is invalid.
 */
export function detailsFromCnp(cnp: string): { birthDate: string | null; sex: Sex | null } {
  const parsed = parseCnp(cnp)
  return parsed.ok ? { birthDate: parsed.birthDate, sex: parsed.sex } : { birthDate: null, sex: null }
}

/** Returns the error of a CNP that has all its digits; null if the CNP is valid or still incomplete. */
export function findCompleteCnpError(cnp: string): string | null {
  const parsed = parseCnp(cnp)
  return cnp.length === CNP_DIGITS && !parsed.ok ? parsed.message : null
}
