import { LIMITS } from './limits.ts'
import { counted } from './romania/romanian.ts'

/** Describes in Romanian a PasswordError of a new password; `min` is the number of characters required. */
export function describePasswordError(error: string, min: number): string {
  const characters = (count: number) => counted(count, 'caracter', 'caractere')
  if (error === 'password-short') return `Parola are nevoie de cel puțin ${characters(min)}.`
  if (error === 'password-long') return `Parola poate avea cel mult ${characters(LIMITS.passwordMax)}.`
  return 'Parola este ușor de ghicit. Sunt potrivite alte cuvinte, fără legătură cu numele, adresa sau locul acesta.'
}
