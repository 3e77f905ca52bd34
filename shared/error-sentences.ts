/** What people are told of a failure that is nobody's input, in the words of both sides. */
export const FAULT = 'A apărut o eroare. Încearcă din nou.'
export const UNAVAILABLE = 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.'
export const UNREACHABLE = 'Nu am putut ajunge la server. Verifică rețeaua și încearcă din nou.'
export const SESSION_OVER = 'Sesiunea s-a încheiat. Autentifică-te din nou.'
export const TOO_MANY = 'Au fost prea multe cereri. Încearcă din nou peste un minut.'
