/** The outcomes of an audit event. */
export const OUTCOMES = ['ok', 'denied', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Each written as the beginning of a sentence. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  ok: 'Reușit',
  denied: 'Refuzat',
  failed: 'Eșuat',
}
