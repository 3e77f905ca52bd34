import { UNAVAILABLE_MESSAGE } from './unavailable-messages.ts'

/**
 * Every error of the product: the code for programs (`errors[].extensions.code` and the JSON of other
 * routes), the HTTP status, and the Romanian sentence for people, where the error has no sentence of its own.
 * The first entry of a code is its default; the others are statuses that say more. The sentences are
 * impersonal, because users of every role read them, also those not addressed as „tu”.
 */
export const ERRORS = [
  {
    code: 'UNAUTHENTICATED',
    status: 401,
    message: 'Sesiunea s-a încheiat. Este nevoie de o nouă autentificare.',
  },
  {
    code: 'FORBIDDEN',
    status: 403,
    message: 'Contul nu are acest drept. Îl poate da un administrator.',
  },
  {
    code: 'FRESH_PROOF_REQUIRED',
    status: 403,
    message: 'Pentru această operație, identitatea trebuie dovedită din nou.',
  },
  // The same for a thing that does not exist and for one that the user may not see.
  { code: 'NOT_FOUND', status: 404, message: 'Nu există sau contul nu are acces.' },
  { code: 'NOT_FOUND', status: 421, message: 'Această adresă nu este a acestui server.' },
  { code: 'BAD_USER_INPUT', status: 400, message: 'Cererea nu poate fi citită.' },
  { code: 'BAD_USER_INPUT', status: 413, message: 'Este prea mult pentru server odată: trebuie scurtat.' },
  { code: 'BAD_USER_INPUT', status: 422, message: 'Unele date nu sunt corecte.' },
  { code: 'BAD_USER_INPUT', status: 415, message: 'Formatul cererii nu este acceptat.' },
  {
    code: 'CONFLICT',
    status: 409,
    message:
      'Între timp, altcineva a modificat aceste date. Pagina trebuie reîncărcată, apoi modificarea făcută din nou.',
  },
  {
    code: 'IN_PROGRESS',
    status: 409,
    message:
      'Documentul cu această cheie este în curs de primire. O nouă încercare peste câteva secunde poate reuși.',
  },
  {
    code: 'IDEMPOTENCY_CONFLICT',
    status: 409,
    message: 'Cu această cheie a fost primit deja alt document.',
  },
  { code: 'CONFLICT', status: 423, message: 'Fișierul se încarcă deja dintr-o altă fereastră.' },
  { code: 'CONFLICT', status: 460, message: 'Fișierul nu a ajuns întreg. Trebuie încărcat din nou.' },
  {
    code: 'TOO_MANY',
    status: 429,
    message: 'Au fost prea multe cereri. O nouă încercare peste un minut poate reuși.',
  },
  {
    code: 'UNAVAILABLE',
    status: 503,
    message: UNAVAILABLE_MESSAGE,
  },
  {
    code: 'UNAVAILABLE',
    status: 507,
    message: 'Nu mai este loc pe server pentru acest fișier. Trebuie anunțat administratorul.',
  },
  {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    message: 'A apărut o eroare. O nouă încercare poate reuși.',
  },
] as const satisfies readonly { code: string; status: number; message: string }[]

export type KnownError = (typeof ERRORS)[number]
export type ErrorCode = KnownError['code']
export type ErrorStatus = KnownError['status']

/** Returns the default error of this status or of this code. */
export const errorOf = (codeOrStatus: ErrorCode | ErrorStatus): KnownError =>
  ERRORS.find(({ code, status }) => code === codeOrStatus || status === codeOrStatus)!

export const isErrorStatus = (status: number): status is ErrorStatus =>
  ERRORS.some((error) => error.status === status)

/** An error in one input field: the field's name in the input and a Romanian sentence. */
export type FieldError = { field: string; message: string }
