/**
 * Failures not caused by input. Impersonal, because users of every role read them, also those not addressed
 * as „tu”.
 */
export const FAULT_MESSAGE = 'A apărut o eroare. O nouă încercare poate reuși.'
export const UNAVAILABLE_MESSAGE =
  'Serviciul nu răspunde pentru moment. O nouă încercare peste câteva secunde poate reuși.'
export const UNREACHABLE_MESSAGE = 'Serverul nu a răspuns. Poate lipsi conexiunea la rețea.'
export const SESSION_OVER_MESSAGE = 'Sesiunea s-a încheiat. Este nevoie de o nouă autentificare.'
export const TOO_MANY_MESSAGE = 'Au fost prea multe cereri. O nouă încercare peste un minut poate reuși.'
