import { parseCnp, type Sex } from '../../../../shared/romania/cnp.ts'

const CNP_DIGITS = 13

/** What a CNP tells of a person; null for what it does not, and for both where it is no valid CNP. */
export function detailsFromCnp(cnp: string): { birthDate: string | null; sex: Sex | null } {
  const parsed = parseCnp(cnp)
  return parsed.ok ? { birthDate: parsed.birthDate, sex: parsed.sex } : { birthDate: null, sex: null }
}

/** The sentence of a CNP of which all digits stand there, and which is wrong. */
export function wholeCnpProblem(cnp: string): string | null {
  const parsed = parseCnp(cnp)
  return cnp.length === CNP_DIGITS && !parsed.ok ? parsed.message : null
}
