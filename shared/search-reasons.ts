/** Why a search finds a patient or an upload, where the row does not show it by itself. */
export const SEARCH_REASONS = [
  'CNP',
  'PHONE',
  'NUMBER',
  'BIRTH_DATE',
  'PREVIOUS_SURNAME',
  'LOCALITY',
  'ACCESSION_NUMBER',
  'DOCTOR',
  'NEAR_NAME',
] as const
export type SearchReasonKind = (typeof SEARCH_REASONS)[number]
