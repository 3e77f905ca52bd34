import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'

/** The most requests that an institution is shown. */
const MAX_SHOWN = 100

export const insertDeletionRequests = (db: Db, requests: readonly Insertable<DB['deletion_request']>[]) =>
  db.insertInto('deletion_request').values(requests).execute()

/** The columns that a user of an institution may read. */
const requests = (db: Db) =>
  db
    .selectFrom('deletion_request')
    .innerJoin('institution', 'institution.id', 'deletion_request.institution_id')
    .leftJoin('app_user', 'app_user.id', 'deletion_request.answered_by')
    .select([
      'deletion_request.id',
      'deletion_request.institution_id',
      'deletion_request.upload_number',
      'deletion_request.released_at',
      'deletion_request.created_at',
      'deletion_request.answered_at',
      'deletion_request.openings',
      'app_user.name as answered_by_name',
      'institution.name as institution_name',
    ])

/** Returns the requests of an incident, with the number of mails. */
export const selectRequestsOfIncident = (db: Db, incidentId: string) =>
  requests(db)
    .select('deletion_request.mailed')
    .where('incident_id', '=', incidentId)
    .orderBy('institution.name')
    .execute()

/**
 * Returns the requests of the institutions: those without an answer, and those answered after `since`; newest first.
 */
export const selectOwnRequests = (db: Db, institutionIds: readonly string[], since: Date) =>
  requests(db)
    .where(sql<boolean>`deletion_request.institution_id = any(${institutionIds}::uuid[])`)
    .where(sql<boolean>`coalesce(deletion_request.answered_at, 'infinity') > ${since}`)
    .orderBy('deletion_request.created_at', 'desc')
    .limit(MAX_SHOWN)
    .execute()

export type RequestRow = Awaited<ReturnType<typeof selectOwnRequests>>[number]
export type IncidentRequestRow = Awaited<ReturnType<typeof selectRequestsOfIncident>>[number]

export const selectOwnRequest = (db: Db, institutionIds: readonly string[], id: string) =>
  requests(db)
    .where('deletion_request.id', '=', id)
    .where(sql<boolean>`deletion_request.institution_id = any(${institutionIds}::uuid[])`)
    .executeTakeFirst()

/** Returns undefined if the request was answered before. */
export const updateAnswered = (db: Db, id: string, userId: string, now: Date) =>
  db
    .updateTable('deletion_request')
    .set({ answered_at: now, answered_by: userId })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
