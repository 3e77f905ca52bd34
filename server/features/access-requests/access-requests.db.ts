import { type SqlBool, sql } from 'kysely'
import type { AccessRefusal } from '../../../shared/requests/access-requests.ts'
import { countRows } from '../../platform/database/count-rows.ts'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import type { AccessRequestScope } from './access-requests.access.ts'

/** The columns that users of institutions read too. */
const requests = (db: Db) =>
  db
    .selectFrom('access_request')
    .innerJoin('institution', 'institution.id', 'access_request.institution_id')
    // Without the name of a colleague who has left the institution: guests do not read that row.
    .leftJoin('app_user as author', 'author.id', 'access_request.created_by')
    .select([
      'access_request.id',
      'access_request.institution_id',
      'access_request.created_by',
      'access_request.created_at',
      'access_request.surname',
      'access_request.given_names',
      'access_request.birth_date',
      'access_request.cnp_masked',
      'access_request.purpose',
      'access_request.doctor',
      'access_request.number',
      'access_request.state',
      'access_request.decided_at',
      'access_request.patient_id',
      'access_request.refusal',
      'access_request.refusal_note',
      'institution.name as institution_name',
      'author.name as author_name',
    ])

export type AccessRequestRow = Awaited<ReturnType<typeof selectOpen>>[number]

/** Returns the requests that wait for a decision, the oldest first. */
export const selectOpen = (db: Db, page: PageRequest) =>
  keyset(
    requests(db).where('access_request.state', '=', sql.lit('sent')),
    { by: { 'access_request.created_at': 'timestamptz', 'access_request.id': 'uuid' }, direction: 'asc' },
    page,
  ).execute()

/** Returns the requests that were decided, the last first. */
export const selectDecided = (db: Db, page: PageRequest): Promise<AccessRequestRow[]> =>
  keyset(
    requests(db).where('access_request.state', '<>', sql.lit('sent')),
    { by: { 'access_request.decided_at': 'timestamptz', 'access_request.id': 'uuid' }, direction: 'desc' },
    page,
  ).execute()

const NEWEST = {
  by: { 'access_request.created_at': 'timestamptz', 'access_request.id': 'uuid' },
  direction: 'desc',
} as const

/** Returns the requests that the actor may read, the newest first; of each institution one page is read by index. */
export function selectNewest(
  db: Db,
  scope: AccessRequestScope,
  page: PageRequest,
): Promise<AccessRequestRow[]> {
  const ids = db.selectFrom('access_request').select('access_request.id')
  const ranges =
    scope.kind === 'own'
      ? scope.institutionIds.map((id) =>
          keyset(ids.where('access_request.institution_id', '=', id), NEWEST, page),
        )
      : scope.kind === 'all'
        ? [keyset(ids, NEWEST, page)]
        : []
  if (ranges.length === 0) return Promise.resolve([])
  return requests(db)
    .where(sql<SqlBool>`access_request.id = any(array(${sql.join(ranges, sql` union all `)}))`)
    .orderBy('access_request.created_at', 'desc')
    .orderBy('access_request.id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export const selectAccessRequest = (db: Db, id: string) =>
  requests(db).where('access_request.id', '=', id).executeTakeFirst()

/** Returns the CNP that was typed, which guests do not read. */
export const selectTypedCnp = async (db: Db, id: string): Promise<string | null> =>
  (await db.selectFrom('access_request').select('cnp').where('id', '=', id).executeTakeFirstOrThrow()).cnp

/** Locks the request until the transaction ends, and returns who has decided it. */
export const lockAccessRequest = (db: Db, id: string) =>
  db.selectFrom('access_request').select('decided_by').where('id', '=', id).forUpdate().executeTakeFirst()

export type NewAccessRequest = {
  id: string
  institution_id: string
  created_by: string
  created_at: Date
  surname: string
  given_names: string
  birth_date: string
  cnp: string | null
  purpose: string
  doctor: string | null
  number: string | null
}

export const insertAccessRequest = (db: Db, request: NewAccessRequest) =>
  db.insertInto('access_request').values(request).execute()

/**
 * Until the transaction ends, no request of the user or of the institution is added, so that they can be counted. The user
 * first, so that two who wait for the same institution do not wait for each other.
 */
export async function lockRequestsOf(db: Db, userId: string, institutionId: string): Promise<void> {
  for (const id of [userId, institutionId])
    await sql`select pg_advisory_xact_lock(hashtextextended('dosar.access-requests ' || ${id}::text, 0))`.execute(
      db,
    )
}

/** Returns the number of requests of the user and of the institution since then. */
export async function countRequests(db: Db, userId: string, institutionId: string, since: Date) {
  const count = (column: 'created_by' | 'institution_id', id: string) =>
    db
      .selectFrom('access_request')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column, '=', id)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
  return {
    ofUser: (await count('created_by', userId)).count,
    ofInstitution: (await count('institution_id', institutionId)).count,
  }
}

/** Returns the user's own requests to the institution that wait for a decision and have this name and birth date. */
export const selectSameOpen = (
  db: Db,
  request: Pick<NewAccessRequest, 'institution_id' | 'created_by' | 'surname' | 'given_names' | 'birth_date'>,
) =>
  db
    .selectFrom('access_request')
    .select(['cnp_masked', 'purpose', 'doctor', 'number'])
    .where('institution_id', '=', request.institution_id)
    .where('created_by', '=', request.created_by)
    .where('surname', '=', request.surname)
    .where('given_names', '=', request.given_names)
    .where('birth_date', '=', request.birth_date)
    .where('state', '=', 'sent')
    .execute()

export const updateAccepted = (db: Db, id: string, userId: string, patientId: string, now: Date) =>
  db
    .updateTable('access_request')
    .set({ state: 'accepted', decided_at: now, decided_by: userId, patient_id: patientId })
    .where('id', '=', id)
    .execute()

export const updateRefused = (
  db: Db,
  id: string,
  userId: string,
  { refusal, note }: { refusal: AccessRefusal; note: string | null },
  now: Date,
) =>
  db
    .updateTable('access_request')
    .set({ state: 'refused', decided_at: now, decided_by: userId, refusal, refusal_note: note })
    .where('id', '=', id)
    .execute()

const noticeable = (db: Db) =>
  db
    .selectFrom('access_request')
    .innerJoin('institution', 'institution.id', 'access_request.institution_id')
    .select([
      'access_request.id',
      'access_request.created_at',
      'access_request.state',
      'access_request.decided_at',
      'institution.name as institution_name',
    ])

export type NoticeableRequest = Awaited<ReturnType<typeof selectLastSent>>[number]

/** Returns the requests that have waited for a decision for the shortest time, without whom they are about. */
export const selectLastSent = (db: Db, limit: number) =>
  noticeable(db)
    .where('access_request.state', '=', sql.lit('sent'))
    .orderBy('access_request.created_at', 'desc')
    .orderBy('access_request.id', 'desc')
    .limit(limit)
    .execute()

/** Returns the user's requests that were decided since then, the last first, without whom they are about. */
export const selectDecidedOf = (
  db: Db,
  userId: string,
  since: Date,
  limit: number,
): Promise<NoticeableRequest[]> =>
  noticeable(db)
    .where('access_request.state', '<>', sql.lit('sent'))
    .where('access_request.created_by', '=', userId)
    .where('access_request.decided_at', '>=', since)
    .orderBy('access_request.decided_at', 'desc')
    .orderBy('access_request.id', 'desc')
    .limit(limit)
    .execute()

/** More than the navigation shows. */
const MAX_COUNTED = 1_000

/** Returns how many requests wait for a decision. */
export const countOpen = (db: Db): Promise<number> =>
  countRows(
    db,
    db.selectFrom('access_request').select('id').where('state', '=', sql.lit('sent')).limit(MAX_COUNTED),
  )

/** Deletes at most `limit` requests that were decided before then; returns their number. */
export const deleteDecidedBefore = async (db: Db, before: Date, limit: number): Promise<number> =>
  (
    await db
      .deleteFrom('access_request')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('access_request')
          .select('id')
          .where('state', '<>', sql.lit('sent'))
          .where('decided_at', '<', before)
          .limit(limit),
      )
      .returning('id')
      .execute()
  ).length
