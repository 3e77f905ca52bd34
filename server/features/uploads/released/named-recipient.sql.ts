import { sql } from 'kysely'

/** The name of the recipient of a row of `share`; null for the patient and persons designated by the patient, who are not named. */
export const namedRecipient = sql<
  string | null
>`case when share.recipient_kind in ('doctor', 'institution') then share.recipient_name end`
