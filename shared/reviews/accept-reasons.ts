/** Why a reviewer accepts an upload that the gate holds. */
export const ACCEPT_REASONS = [
  'name-changed',
  'typing-error',
  'companion',
  'compared-original',
  'other',
] as const
export type AcceptReason = (typeof ACCEPT_REASONS)[number]

export const ACCEPT_REASON_NAMES: Readonly<Record<AcceptReason, string>> = {
  'name-changed': 'Nume schimbat',
  'typing-error': 'Greșeală de scriere în document',
  companion: 'Persoană din familie sau însoțitor',
  'compared-original': 'Comparat cu documentul original',
  other: 'Alt motiv',
}

/** Required with each acceptance of an upload that is held: a reason of the list and a line of text. */
export const ACCEPT_MESSAGES = {
  reason: 'Alege de ce este corect așa.',
  comment: 'Scrie în câteva cuvinte de ce este corect așa.',
} as const
