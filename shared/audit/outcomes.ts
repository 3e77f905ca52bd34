/** The outcomes of an audit event, each written as the beginning of a sentence. */
export const OUTCOME_NAMES = { ok: 'Reușit', denied: 'Refuzat', failed: 'Eșuat' } as const
export type Outcome = keyof typeof OUTCOME_NAMES
export const OUTCOMES = Object.keys(OUTCOME_NAMES) as Outcome[]
