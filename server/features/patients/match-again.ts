import type { Ctx } from '../../context.ts'

/** Enqueues the search for the patient in what was sent and has no patient yet, after a change of the patient or of a referral. */
export const matchAgain = ({ db, services }: Ctx, patientId: string): Promise<void> =>
  services.jobs.enqueue(db, 'match-patient-again', { patientId })
