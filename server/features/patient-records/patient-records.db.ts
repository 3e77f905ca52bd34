import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../platform/database/database.ts'

/** Returns the patient with everything that is known, and after it those that were merged into it. */
export const selectPersons = (db: Db, patientId: string) =>
  db
    .selectFrom('patient')
    .select([
      'id',
      'number',
      'surname',
      'given_names',
      'previous_surname',
      'cnp',
      'other_ids',
      'birth_date',
      'sex',
      'phone',
      'email',
      'county',
      'locality',
      'address',
      'preferred_channel',
      'designated_persons',
      'consents',
      'notes',
      'created_at',
      'updated_at',
    ])
    .where(
      sql<boolean>`id in (with recursive step (id) as (
          select ${patientId}::uuid
          union select merge.merged_id from patient_merge merge join step on step.id = merge.survivor_id
          where merge.undone_at is null)
        select id from step)`,
    )
    .orderBy(sql`id <> ${patientId}::uuid`)
    .orderBy('created_at')
    .execute()

/** Returns what institutions have asked about the results of these patients, and the answers, in order. */
export const selectMessages = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('question_message')
    .innerJoin('question', 'question.id', 'question_message.question_id')
    .innerJoin('institution', 'institution.id', 'question.institution_id')
    .innerJoin('app_user', 'app_user.id', 'question_message.created_by')
    .select([
      'question.upload_number',
      'institution.name as institution_name',
      'question_message.by_organisation',
      'app_user.name as author_name',
      'question_message.created_at',
      'question_message.text',
    ])
    .where(sql<boolean>`question.patient_id = any(${patientIds}::uuid[])`)
    .orderBy('question.id')
    .orderBy('question_message.position')
    .execute()

/** Returns the links by which results of these patients were shared, with every opening and attempt, in order. */
export const selectShares = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('share')
    .innerJoin('app_user', 'app_user.id', 'share.created_by')
    .select((eb) => [
      'share.recipient_kind',
      'share.recipient_name',
      'share.email',
      'share.channel',
      'share.proof',
      'share.reason',
      'app_user.name as created_by_name',
      'share.created_at',
      'share.expires_at',
      'share.ended_at',
      jsonArrayFrom(
        eb
          .selectFrom('share_upload')
          .innerJoin('upload', 'upload.id', 'share_upload.upload_id')
          .select(['upload.number', 'share_upload.added_at', 'share_upload.removed_at'])
          .whereRef('share_upload.share_id', '=', 'share.id')
          .orderBy('upload.number'),
      ).as('uploads'),
      jsonArrayFrom(
        eb
          .selectFrom('share_event')
          .select(['share_event.at', 'share_event.kind', 'share_event.ip'])
          .whereRef('share_event.share_id', '=', 'share.id')
          .orderBy('share_event.at')
          .orderBy('share_event.id'),
      ).as('events'),
    ])
    .where(sql<boolean>`share.patient_id = any(${patientIds}::uuid[])`)
    .orderBy('share.created_at')
    .orderBy('share.id')
    .execute()

/** Returns the requests of institutions that gave them access to these patients, in order. */
export const selectAccessRequests = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('access_request')
    .innerJoin('institution', 'institution.id', 'access_request.institution_id')
    .innerJoin('app_user', 'app_user.id', 'access_request.created_by')
    .select([
      'institution.name as institution_name',
      'app_user.name as created_by_name',
      'access_request.created_at',
      'access_request.purpose',
      'access_request.doctor',
      'access_request.decided_at',
    ])
    .where(sql<boolean>`access_request.patient_id = any(${patientIds}::uuid[])`)
    .orderBy('access_request.created_at')
    .orderBy('access_request.id')
    .execute()
