/** Failures that nobody's input caused. Impersonal: every role reads them, and they address nobody as „tu”. */
export const FAULT = 'A apărut o eroare. O nouă încercare poate reuși.'
export const UNAVAILABLE =
  'Serviciul nu răspunde pentru moment. O nouă încercare peste câteva secunde poate reuși.'
export const UNREACHABLE = 'Serverul nu a răspuns. Poate lipsi conexiunea la rețea.'
export const SESSION_OVER = 'Sesiunea s-a încheiat. Este nevoie de o nouă autentificare.'
export const TOO_MANY = 'Au fost prea multe cereri. O nouă încercare peste un minut poate reuși.'
