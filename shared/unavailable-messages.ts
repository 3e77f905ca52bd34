// By themselves, because the sign-in page needs no other sentence of an error.

/** Shown when the server responds that it is not available for the moment. */
export const UNAVAILABLE_MESSAGE =
  'Serviciul nu răspunde pentru moment. O nouă încercare peste câteva secunde poate reuși.'

/** Shown when there was no response, which has neither a code nor a status. */
export const UNREACHABLE_MESSAGE = 'Serverul nu a răspuns. Poate lipsi conexiunea la rețea.'
