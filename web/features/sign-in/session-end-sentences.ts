import type { SessionEnd } from '../../../shared/session-ends.ts'
import { explainSignInError } from './sign-in-errors.ts'

const SESSION_ENDS: Record<SessionEnd, string> = {
  suspended: 'Organizația a suspendat accesul acestui cont. Administratorul poate spune mai multe.',
  idle: explainSignInError('SessionIdle').text,
  'second-factor':
    'Organizația cere de acum un al doilea factor la autentificare. Se configurează o singură dată, la următoarea autentificare.',
}

/**
 * Returns the sentence of the signed-out page; `end` is null if the user signed out or the session expired.
 */
export const explainSessionEnd = (end: SessionEnd | null): string =>
  end
    ? SESSION_ENDS[end]
    : 'Sesiunea s-a încheiat pe acest dispozitiv. Pe un calculator comun este bine să se închidă și fereastra.'
