import { LIMITS } from './limits.ts'
import { counted } from './romania/romanian.ts'

/** What is wrong with a new password, by its PasswordError; `min` characters are needed. */
export function describePasswordError(fault: string, min: number): string {
  const characters = (count: number) => counted(count, 'caracter', 'caractere')
  if (fault === 'password-short') return `Parola are nevoie de cel puțin ${characters(min)}.`
  if (fault === 'password-long') return `Parola poate avea cel mult ${characters(LIMITS.passwordMax)}.`
  return 'Parola este ușor de ghicit. Sunt potrivite alte cuvinte, fără legătură cu numele, adresa sau locul acesta.'
}
