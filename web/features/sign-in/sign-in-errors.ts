import { UNAVAILABLE_MESSAGE, UNREACHABLE_MESSAGE } from '../../../shared/error-messages.ts'
import type { SessionEnd } from '../../../shared/session-ends.ts'

/** What went wrong, by the `error` that the protocol puts into the address [8.2]. */
const SENTENCES: Record<string, string> = {
  SessionRequired: 'Pagina cere autentificare.',
  // The same for a wrong password, an account that does not exist and one that has to wait: nobody learns which there are.
  CredentialsSignin:
    'Adresa sau parola nu sunt corecte. După mai multe încercări greșite urmează o pauză de câteva minute.',
  MissingCSRF: 'Pagina a stat deschisă prea mult. Parola trebuie scrisă din nou.',
  AccessDenied: 'Contul nu are acces aici. Îl poate da administratorul.',
  Verification: 'Linkul a fost folosit deja sau a expirat. Administratorul poate trimite unul nou.',
  Configuration: 'Autentificarea nu este configurată corect. Trebuie anunțat administratorul.',
}

const NETWORK_BLOCKED_MESSAGE =
  'Prea multe încercări din această rețea. O nouă încercare peste câteva minute poate reuși.'

/**
 * `code`: the provider's reason, where it tells one. `isInvitation`: nothing went wrong, the person was only asked to sign
 * in [2.20].
 */
export function explainSignInError(
  error: string,
  code?: string | null,
): { text: string; isInvitation: boolean } {
  const text = Object.hasOwn(SENTENCES, error) ? SENTENCES[error] : undefined
  return {
    text:
      code === 'wait'
        ? NETWORK_BLOCKED_MESSAGE
        : (text ?? 'Autentificarea nu a reușit. Dacă se repetă, trebuie anunțat administratorul.'),
    isInvitation: error === 'SessionRequired',
  }
}

const SESSION_ENDS: Record<SessionEnd, string> = {
  suspended: 'Organizația a suspendat accesul acestui cont. Administratorul poate spune mai multe.',
  'second-factor':
    'Organizația cere de acum un al doilea factor la autentificare. Se configurează o singură dată, la următoarea autentificare.',
}

/** What the signed-out page says; `end` null: the person signed out, or the session was over. */
export const explainSessionEnd = (end: SessionEnd | null): string =>
  end
    ? SESSION_ENDS[end]
    : 'Sesiunea s-a încheiat pe acest dispozitiv. Pe un calculator comun este bine să se închidă și fereastra.'

/** Why a code was not taken; the answer does not tell a used code from a wrong one. */
export const explainSecondFactorError = (code: string | null): string =>
  code === 'second-factor-wrong'
    ? 'Codul nu este corect. Următorul cod, peste câteva secunde, poate fi bun.'
    : 'Autentificarea nu a reușit. Dacă se repetă, trebuie anunțat administratorul.'

/** Whether the password was right and the second factor is still to come, or to be set up. */
export const requiresSecondFactor = (code: string | null | undefined): boolean =>
  code === 'second-factor' || code === 'second-factor-setup'

/** What was thrown while signing in: `fetch` throws a TypeError where there is no way to the server. */
export const explainSignInFailure = (fault: unknown): string =>
  fault instanceof TypeError ? UNREACHABLE_MESSAGE : UNAVAILABLE_MESSAGE
