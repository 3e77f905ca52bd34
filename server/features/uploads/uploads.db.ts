import {
  type ExpressionBuilder,
  type NotNull,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Placeholders, staticQuery, type Value } from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { isReferred } from './released/is-referred.sql.ts'
import { lockOpeningsExclusively } from './released/released.db.ts'
import type { UploadScope } from './uploads.access.ts'

/** Returns the condition for the uploads outside the bin that an actor may read. */
export const visible = (scope: UploadScope) => (eb: ExpressionBuilder<DB, 'upload'>) => {
  const live = eb('upload.deleted_at', 'is', null)
  if (scope.kind === 'all') return live
  if (scope.kind === 'none') return eb.lit(false)
  if (scope.kind === 'review') {
    return eb.and([
      live,
      eb.or([
        eb('upload.state', '=', 'in_review'),
        eb('upload.created_by', '=', scope.userId),
        // Not a correlated subquery, which a long list would run for each row.
        sql<SqlBool>`upload.id in (select upload_id from review where reviewer_id = ${scope.userId}::uuid)`,
      ]),
    ])
  }
  if (scope.kind === 'staff') {
    return eb.and([
      live,
      eb.or([
        eb('upload.patient_id', 'is not', null),
        eb('upload.created_by', '=', scope.userId),
        // Sent by a program and not filed yet, or filed by it.
        eb('upload.created_by', 'is', null),
      ]),
    ])
  }
  if (scope.kind === 'sent') {
    return eb.and([
      live,
      eb('upload.created_by', '=', scope.userId),
      sql<SqlBool>`upload.sender_institution_id = any(${scope.institutionIds}::uuid[])`,
    ])
  }
  return eb.and([
    live,
    eb('upload.state', '=', 'released'),
    sql<SqlBool>`upload.institution_id = any(${scope.institutionIds}::uuid[])`,
    isReferred,
  ])
}

/** How much of each upload of a list is read: everything, or what the lines of the queue and of an inbox show. */
export type Shown = 'line' | 'whole'

/** The columns of an upload, beside its id, that lines show, and those that decide what their reader may do with it. */
export const LINE_COLUMNS = [
  'upload.number',
  'upload.title',
  'upload.state',
  'upload.state_since',
  'upload.version',
  'upload.examined_on',
  'upload.accession_number',
  'upload.referring_doctor',
  'upload.released_at',
  'upload.release_at',
  'upload.is_update',
  'upload.category_slug',
  'upload.patient_id',
  'upload.institution_id',
  'upload.sender_institution_id',
  'upload.integration_id',
  'upload.created_by',
] as const

/** Joins the names that lists and pages show, in one statement for any number of rows. */
const withNames = <Row>(rows: SelectQueryBuilder<DB, 'upload', Row>, scope: UploadScope) =>
  rows
    .leftJoin('patient', 'patient.id', 'upload.patient_id')
    .leftJoin('institution', 'institution.id', 'upload.institution_id')
    .leftJoin('category_slug_change as move', (on) =>
      on.onRef('move.old_slug', '=', 'upload.category_slug').on('move.moving', '=', true),
    )
    .leftJoin('category', (on) =>
      on.on((eb) => eb('category.slug', '=', eb.fn.coalesce('move.new_slug', 'upload.category_slug'))),
    )
    .select((eb) => [
      // Its new slug, also while the upload waits for its batch of a move; replaces the column of the same name.
      eb.fn.coalesce('move.new_slug', 'upload.category_slug').as('category_slug'),
      'patient.surname as patient_surname',
      'patient.given_names as patient_given_names',
      'patient.previous_surname as patient_previous_surname',
      'patient.cnp as patient_cnp',
      'patient.birth_date as patient_birth_date',
      'patient.sex as patient_sex',
      'patient.number as patient_number',
      sql<string | null>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
      sql<boolean>`institution.suspended_at is not null`.as('institution_suspended'),
      'category.name as category_name',
      'category.icon as category_icon',
      'category.color as category_color',
      'category.review_required as category_review_required',
      'category.reviewers as category_reviewers',
      'category.release as category_release',
      'category.release_hours as category_release_hours',
      eb
        .selectFrom('file')
        .whereRef('file.upload_id', '=', 'upload.id')
        .where('file.removed_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('file_count'),
    ])
    // Institutions do not learn who filed or reviewed an upload.
    .$if(scope.kind !== 'released-to' && scope.kind !== 'none', (query) =>
      query
        .leftJoin('app_user as author', 'author.id', 'upload.created_by')
        .leftJoin('institution as sender', 'sender.id', 'upload.sender_institution_id')
        .leftJoin('integration', (on) =>
          on.onRef('integration.id', '=', 'upload.integration_id').on('upload.created_by', 'is', null),
        )
        // The first of two acceptances, unless the upload has changed since.
        .leftJoin('review as first', (on) =>
          on
            .onRef('first.upload_id', '=', 'upload.id')
            .onRef('first.first_of_version', '=', 'upload.version'),
        )
        .leftJoin('app_user as first_reviewer', 'first_reviewer.id', 'first.reviewer_id')
        .select([
          'first.reviewer_id as first_reviewer_id',
          'first.created_at as first_accepted_at',
          'first_reviewer.name as first_reviewer_name',
          sql<string>`coalesce(author.name, integration.name)`.as('author_name'),
          sql<string | null>`coalesce(sender.short_name, sender.name)`.as('sender_institution_name'),
        ]),
    )

/** When the reader opened the upload. */
export const openedBy = (readerId: Value<string> | null) => (eb: ExpressionBuilder<DB, 'upload'>) =>
  eb
    .selectFrom('upload_opening')
    .whereRef('upload_opening.upload_id', '=', 'upload.id')
    .where('upload_opening.user_id', '=', readerId)
    .select('upload_opening.opened_at')
    .as('opened_at')

/** Selects the uploads that an actor may read, with everything that lists and pages show. */
export const uploads = (db: Db, scope: UploadScope, readerId: Value<string> | null) =>
  withNames(db.selectFrom('upload').selectAll('upload'), scope)
    .select(openedBy(readerId))
    .where(visible(scope) as never)

/** Selects what lines of lists show of a page of uploads, which has the id and the `LINE_COLUMNS` of some that are `visible`. */
export const uploadLines = (db: Db, scope: UploadScope, page: RawBuilder<unknown>) => {
  const rows = db.selectFrom(page.as('upload')) as unknown as SelectQueryBuilder<DB, 'upload', object>
  return withNames(rows.select(['upload.id', ...LINE_COLUMNS]), scope)
}

export type UploadRow = NonNullable<Awaited<ReturnType<typeof selectUpload>>>

export const selectUpload = (db: Db, scope: UploadScope, id: string, readerId: string | null) =>
  uploads(db, scope, readerId).where('upload.id', '=', id).executeTakeFirst()

/** Whether a user of these institutions has sent the upload, and has submitted it or is this user. */
export const isSent = async (
  db: Db,
  id: string,
  { userId, institutionIds }: { userId: string; institutionIds: readonly string[] },
): Promise<boolean> =>
  (await db
    .selectFrom('upload')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(sql<SqlBool>`sender_institution_id = any(${institutionIds}::uuid[])`)
    .where((eb) => eb.or([eb('state', '!=', 'receiving'), eb('created_by', '=', userId)]))
    .executeTakeFirst()) !== undefined

export const selectUploadsByIds = (
  db: Db,
  scope: UploadScope,
  ids: readonly string[],
  readerId: string | null,
) => uploads(db, scope, readerId).where(sql<SqlBool>`upload.id = any(${ids}::uuid[])`).execute()

/**
 * Returns the row without joins, locked until the transaction ends, so that changes of state run one at a
 * time.
 */
export const lockUpload = (db: Db, id: string) =>
  db.selectFrom('upload').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks the uploads until the transaction ends: first their openings, since recording one waits for the lock of the
 * row; both in the order of the ids, as a merge of patients does.
 */
export async function lockUploads(db: Db, ids: RawBuilder<unknown>): Promise<void> {
  const { rows } = await lockOpeningsExclusively(db, ids)
  const locked = rows.map(({ id }) => id)
  await db
    .selectFrom('upload')
    .select('id')
    .where(sql<SqlBool>`id = any(${locked}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Marks an upload, which the transaction has locked, as the successor of one that its institution had received. */
export const markUpdate = (db: Db, id: string) =>
  db.updateTable('upload').set({ is_update: true }).where('id', '=', id).execute()

/**
 * The columns of a file without its text, which is long, its CNPs, which only the cross-check reads, and the
 * details of its removal.
 */
export const FILE_COLUMNS = [
  'id',
  'upload_id',
  'position',
  'name',
  'type',
  'kind',
  'size',
  'sha256',
  'storage_key',
  'page_count',
  'facts',
  'scan_result',
  'created_at',
] as const

export const selectFiles = (db: Db, uploadId: string) => selectFilesOf(db, [uploadId])

const filesOf = staticQuery((db, slot: Placeholders<{ uploadIds: readonly string[] }>) =>
  db
    .selectFrom('file')
    .select(FILE_COLUMNS)
    .where(sql<SqlBool>`upload_id = any(${slot('uploadIds')}::uuid[])`)
    .where('removed_at', 'is', null)
    .orderBy('position'),
)

/** Returns the files of several uploads, without removed ones, in the order of their positions. */
export const selectFilesOf = (db: Db, uploadIds: readonly string[]) => filesOf(db, { uploadIds })

export type FileRow = Awaited<ReturnType<typeof selectFiles>>[number]

export const insertUpload = (
  db: Db,
  upload: {
    id: string
    patient_id: string | null
    institution_id: string | null
    category_slug: string | null
    title: string
    examined_on: string | null
    accession_number: string | null
    referring_doctor: string | null
    note: string | null
    created_by: string | null
    integration_id?: string | null
    replaces_id?: string
    revision?: number
    batch_id?: string | null
    sender_institution_id?: string
  },
) =>
  db
    .insertInto('upload')
    .values({
      ...upload,
      source: upload.sender_institution_id ? 'institution' : upload.batch_id ? 'bulk' : 'staff',
      state: 'receiving',
    })
    .execute()

/**
 * The time of a release: after the ends of the institution's referrals, although the request may have begun before one
 * of them was committed.
 */
const releaseTime = (now: Date) => sql<Date>`greatest(${now}::timestamptz, (
  select max(referral.ended_at) + interval '1 ms' from referral
  where referral.patient_id = upload.patient_id and referral.institution_id = upload.institution_id))`

/** Sets the state of an upload that the transaction has locked and clears its scheduled release. */
export const updateUploadState = (db: Db, id: string, state: UploadState, now: Date) =>
  db
    .updateTable('upload')
    .set((eb) => ({
      state,
      state_since: now,
      release_at: null,
      ...(state === 'released' ? { released_at: releaseTime(now) } : {}),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

/**
 * Gives an upload in review, which the transaction has locked, the place in the queue that it had before its verdict
 * was undone: since the audit log has it as moved there, and else, from before the audit log, since it was filed.
 */
export const restoreQueuePlace = (db: Db, id: string) =>
  db
    .updateTable('upload')
    .set((eb) => ({
      state_since: eb.fn.coalesce(
        eb
          .selectFrom('audit_event')
          .select(({ fn }) => fn.max('at').as('at'))
          .where('subject_id', '=', id)
          .where('outcome', '=', 'ok')
          .where('action', '!=', 'upload.undo')
          .where(sql<SqlBool>`changes -> 'state' ->> 'to' = 'in_review'`),
        'created_at',
      ),
    }))
    .where('id', '=', id)
    .execute()

/** Sets when an upload of a batch, which the transaction has locked, was submitted; null: it is a draft again. */
export const updateFiledAt = (db: Db, id: string, filedAt: Date | null) =>
  db
    .updateTable('upload')
    .set({ filed_at: filedAt })
    .where('id', '=', id)
    .where('batch_id', 'is not', null)
    .execute()

/** Sets who has filed an upload, which the transaction has locked; null: it waits for a person again. */
export const updateAuthor = (db: Db, id: string, userId: string | null) =>
  db.updateTable('upload').set({ created_by: userId }).where('id', '=', id).execute()

/** Sets who corrects a rejected upload that nobody has filed; false if it was filed or changed meanwhile. */
export async function claimUpload(db: Db, id: string, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ created_by: userId })
    .where('id', '=', id)
    .where('created_by', 'is', null)
    .where('state', '=', 'rejected')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets the scheduled release of an accepted upload that the transaction has locked. */
export const updateReleaseAt = (db: Db, id: string, releaseAt: Date) =>
  db.updateTable('upload').set({ release_at: releaseAt }).where('id', '=', id).execute()

/** Raises the version of an upload that the transaction has locked, after a change outside its row. */
export const updateUploadVersion = (db: Db, id: string, now: Date) =>
  db
    .updateTable('upload')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Returns undefined if `version` is no longer the stored version. */
export const updateUploadDetails = (
  db: Db,
  id: string,
  version: number,
  now: Date,
  values: {
    patient_id: string | null
    institution_id: string | null
    category_slug: string | null
    title: string
    examined_on: string | null
    accession_number: string | null
    referring_doctor: string | null
    note: string | null
  },
) =>
  db
    .updateTable('upload')
    .set({ ...values, updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

export const upsertOpening = (db: Db, uploadId: string, userId: string, now: Date, downloaded: boolean) =>
  db
    .insertInto('upload_opening')
    .values({ upload_id: uploadId, user_id: userId, opened_at: now, downloaded_at: downloaded ? now : null })
    .onConflict((on) =>
      downloaded
        ? on.columns(['upload_id', 'user_id']).doUpdateSet({ downloaded_at: now })
        : on.columns(['upload_id', 'user_id']).doNothing(),
    )
    .execute()

export const categoryExists = async (db: Db, slug: string): Promise<boolean> =>
  (await db.selectFrom('category').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined

/** Counts an upload's unfinished transfers, which prevent its submission. */
export const countUnfinished = async (db: Db, uploadId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('transfer')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'receiving')
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the unfinished transfers to the uploads by any of the users; `user_id` says whose each is. */
export const selectUnfinishedTransfers = (
  db: Db,
  requested: readonly { uploadId: string; userId: string }[],
) =>
  db
    .selectFrom('transfer')
    .select(['id', 'upload_id', 'user_id', 'name', 'size', 'received', 'sha256'])
    .where(sql<SqlBool>`upload_id = any(${requested.map(({ uploadId }) => uploadId)}::uuid[])`)
    .where(sql<SqlBool>`user_id = any(${[...new Set(requested.map(({ userId }) => userId))]}::uuid[])`)
    .where('state', '=', 'receiving')
    .orderBy('created_at')
    .$narrowType<{ upload_id: NotNull; user_id: NotNull }>()
    .execute()

export type TransferRow = Awaited<ReturnType<typeof selectUnfinishedTransfers>>[number]

/**
 * Returns the uploads in `checking` since `before`. The state is a literal, so that its partial index is
 * always used.
 */
export const selectUncheckedSince = (db: Db, before: Date) =>
  db
    .selectFrom('upload')
    .select(['id', 'created_by', 'integration_id'])
    .where('state', '=', sql.lit('checking'))
    .where('state_since', '<=', before)
    .execute()

/** Forgets the patient who was chosen for a group of a batch that has another one now. */
export const deleteOtherChoice = (db: Db, uploadId: string, patientId: string | null) =>
  db
    .deleteFrom('batch_choice')
    .where('upload_id', '=', uploadId)
    .where(
      sql<SqlBool>`coalesce(surviving_patient(patient_id), patient_id) is distinct from ${patientId}::uuid`,
    )
    .execute()
