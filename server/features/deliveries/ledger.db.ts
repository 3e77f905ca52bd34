import { sql } from 'kysely'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import type { ShareRecipientKind } from '../../../shared/shares/shares.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import { namedRecipient } from '../uploads/released/named-recipient.sql.ts'

/** Of one upload, or all of a patient. */
export type LedgerSubject = { uploadId: string } | { patientId: string }

/** An upload and one recipient: a user to whom it was announced or who has opened it, or a link to it; without a recipient if there is none. */
export type LedgerRow = {
  upload_id: string
  /** Distinguishes the rows of an upload; the nil UUID without a recipient. */
  recipient_key: string
  upload_number: number
  title: string
  state: UploadState
  institution_name: string | null
  received_at: Date
  checked_at: Date | null
  reviewed_at: Date | null
  released_at: Date | null
  /** Null also for a share for the patient or a person designated by the patient. */
  recipient_name: string | null
  /** Of the recipient of a share; null for a user. */
  recipient_kind: ShareRecipientKind | null
  /** Null: no mail was due. `queued` also while it waits for its hour. */
  mail_state: MessageState | null
  mailed_at: Date | null
  mail_error: string | null
  opened_at: Date | null
  downloaded_at: Date | null
}

/**
 * Selects the steps of the present release of uploads, the newest upload first, a row for each recipient: the mail that
 * reached them, or else the last one.
 */
export const selectLedger = (db: Db, subject: LedgerSubject, page: PageRequest): Promise<LedgerRow[]> => {
  const isSubject =
    'uploadId' in subject
      ? sql`upload.id = ${subject.uploadId}::uuid`
      : sql`upload.patient_id = ${subject.patientId}::uuid`
  const ledger = sql<LedgerRow>`(
    select upload.id as upload_id, coalesce(recipient.key, '00000000-0000-0000-0000-000000000000') as recipient_key,
      upload.number as upload_number, upload.title, upload.state, institution.name as institution_name,
      upload.created_at as received_at,
      (select min(at) from audit_event where subject_id = upload.id and action = 'upload.checked' and outcome = 'ok') as checked_at,
      (select max(created_at) from review where review.upload_id = upload.id and verdict = 'accepted'
        and undone_at is null) as reviewed_at,
      upload.released_at, recipient.name as recipient_name, recipient.kind as recipient_kind, recipient.state as mail_state,
      recipient.sent_at as mailed_at, recipient.last_error as mail_error, recipient.opened_at, recipient.downloaded_at
    from upload
    left join institution on institution.id = upload.institution_id
    left join lateral (
      select app_user.id as key, app_user.name, null as kind,
        case when announced.user_id is not null then coalesce(announced.state, 'queued') end as state,
        announced.sent_at, announced.last_error, opening.opened_at, opening.downloaded_at
      from (select distinct on (announcement.user_id) announcement.user_id, message.state, message.sent_at, message.last_error
          from announcement left join message on message.id = announcement.message_id
          where announcement.upload_id = upload.id and announcement.kind <> 'recall'
            and announcement.released_at = upload.released_at
          order by announcement.user_id, message.state = 'sent' desc nulls last, announcement.created_at desc) announced
        full join (select user_id, opened_at, downloaded_at from upload_opening where upload_opening.upload_id = upload.id) opening
          on opening.user_id = announced.user_id
        join app_user on app_user.id = coalesce(announced.user_id, opening.user_id)
      union all
      select share.id, ${namedRecipient},
        share.recipient_kind, message.state, message.sent_at, message.last_error, use.opened_at, use.downloaded_at
      from share_upload
      join share on share.id = share_upload.share_id
      left join message on message.created_at = share.created_at and message.about_id = share.id and message.kind = 'share'
      left join lateral (
        select min(share_event.at) as opened_at,
          min(share_event.at) filter (where share_event.kind in ('downloaded', 'downloaded_all')) as downloaded_at
        from share_event
        where share_event.share_id = share.id and share_event.kind in ('opened', 'previewed', 'downloaded', 'downloaded_all')
          and share_event.at >= greatest(share_upload.added_at, upload.released_at)
          and (share_event.file_id is null
            or exists (select from file where file.id = share_event.file_id and file.upload_id = upload.id))) use on true
      where share_upload.upload_id = upload.id and share.patient_id = upload.patient_id
        and (share_upload.removed_at is null or share_upload.added_at >= upload.released_at)) recipient on true
    where ${isSubject} and upload.deleted_at is null)`
  return keyset(
    db.selectFrom(ledger.as('ledger')).selectAll(),
    { by: { 'ledger.upload_id': 'uuid', 'ledger.recipient_key': 'uuid' }, direction: 'desc' },
    page,
  ).execute()
}
