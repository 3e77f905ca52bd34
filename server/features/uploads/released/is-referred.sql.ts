import { type SqlBool, sql } from 'kysely'

/**
 * Whether the upload's institution has referred its patient, and the referral had not ended before the release. This is
 * nearly always true, which the planner cannot know: `offset 0` makes it look up the patient's referral instead
 * of reading all referrals of an institution.
 */
export const isReferred = sql<SqlBool>`exists (
    select from referral where referral.patient_id = upload.patient_id
      and referral.institution_id = upload.institution_id and not referral.mistaken
      and coalesce(referral.ended_at, 'infinity') >= upload.released_at offset 0)`
