/** `sent`: nobody has decided yet. */
export const ACCESS_REQUEST_STATES = ['sent', 'accepted', 'refused'] as const
export type AccessRequestState = (typeof ACCESS_REQUEST_STATES)[number]

export const ACCESS_REQUEST_STATE_NAMES: Readonly<Record<AccessRequestState, string>> = {
  sent: 'trimisă',
  accepted: 'acceptată',
  refused: 'refuzată',
}

/** Why a request for access was refused. None of them says whether the patient exists. */
export const ACCESS_REFUSALS = ['neutral', 'details', 'purpose', 'phone'] as const
export type AccessRefusal = (typeof ACCESS_REFUSALS)[number]

/** As the institution reads them. */
export const ACCESS_REFUSAL_NAMES: Readonly<Record<AccessRefusal, string>> = {
  neutral: 'Nu putem da acces pe baza acestor date.',
  details: 'Sunt necesare mai multe date: numărul trimiterii și medicul.',
  purpose: 'Din cerere nu reiese de ce este necesar accesul.',
  phone: 'Vă rugăm să ne sunați pentru această cerere.',
}

/** What every request for access is answered, for a known patient and an unknown one. */
export const ACCESS_REQUESTED_MESSAGE =
  'Cererea a fost trimisă. Centrul o verifică, iar răspunsul apare în lista cererilor.'
