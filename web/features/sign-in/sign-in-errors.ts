import { UNAVAILABLE_MESSAGE, UNREACHABLE_MESSAGE } from '../../../shared/unavailable-messages.ts'

/** The sentences by the `error` that the protocol puts into the address [8.2]. */
const SENTENCES: Record<string, string> = {
  SessionRequired: 'Pagina cere autentificare.',
  SessionIdle: 'Sesiunea s-a încheiat pentru că nu a fost folosită.',
  // One sentence for a wrong password, an unknown account and an account that must wait after too many
  // attempts, so that it does not reveal which accounts exist.
  CredentialsSignin:
    'Adresa sau parola nu sunt corecte. După mai multe încercări greșite urmează o pauză de câteva minute.',
  MissingCSRF: 'Pagina a stat deschisă prea mult. Parola trebuie scrisă din nou.',
  AccessDenied: 'Contul nu are acces aici. Îl poate da administratorul.',
  Verification: 'Linkul a fost folosit deja sau a expirat. Administratorul poate trimite unul nou.',
  Configuration: 'Autentificarea nu este configurată corect. Trebuie anunțat administratorul.',
}

export const FAILED_MESSAGE = 'Autentificarea nu a reușit. Dacă se repetă, trebuie anunțat administratorul.'
const NETWORK_BLOCKED_MESSAGE =
  'Prea multe încercări din această rețea. O nouă încercare peste câteva minute poate reuși.'

/**
 * Returns the sentence of a sign-in error; `code` is the provider's reason, if any. `isInvitation` means that
 * there is no error, and the user was only asked to sign in [2.20].
 */
export function explainSignInError(
  error: string,
  code?: string | null,
): { text: string; isInvitation: boolean } {
  const text = Object.hasOwn(SENTENCES, error) ? SENTENCES[error] : undefined
  return {
    text: code === 'wait' ? NETWORK_BLOCKED_MESSAGE : (text ?? FAILED_MESSAGE),
    isInvitation: error.startsWith('Session'),
  }
}

/** Whether the password was right and the second factor is required, or must be set up. */
export const requiresSecondFactor = (code: string | null | undefined): boolean =>
  code === 'second-factor' || code === 'second-factor-setup'

/**
 * Returns the sentence of an error thrown while signing in: `fetch` throws a TypeError if the server cannot
 * be reached.
 */
export const explainSignInFailure = (error: unknown): string =>
  error instanceof TypeError ? UNREACHABLE_MESSAGE : UNAVAILABLE_MESSAGE
