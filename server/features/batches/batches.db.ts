import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { BATCH_FILTERS, type BatchFilter, type BatchSource } from '../../../shared/uploads/batches.ts'
import type { MatchReason } from '../../../shared/uploads/match-reasons.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'
import { startOfDay } from '../../platform/database/days.sql.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import type { OpenGroup } from './grouping/grouping.ts'

const batches = (db: Db) =>
  db
    .selectFrom('batch')
    .leftJoin('app_user as author', 'author.id', 'batch.created_by')
    .leftJoin('integration', 'integration.id', 'batch.integration_id')
    .selectAll('batch')
    .select(sql<string>`coalesce(author.name, integration.name)`.as('author_name'))

export type BatchRow = NonNullable<Awaited<ReturnType<typeof selectBatch>>>

export const selectBatch = (db: Db, id: string) => batches(db).where('batch.id', '=', id).executeTakeFirst()

/**
 * Returns one page of the batches of an author and of those of integrations, the newest first. Each has its index, which a
 * condition with `or` would not use.
 */
export async function selectBatches(
  db: Db,
  authorId: string,
  { isOpen, page }: { isOpen: boolean | null; page: PageRequest },
): Promise<BatchRow[]> {
  const pageOf = (query: ReturnType<typeof batches>) =>
    keyset(
      query.$if(isOpen !== null, (each) => each.where('closed_at', isOpen ? 'is' : 'is not', null)),
      { by: { 'batch.created_at': 'timestamptz', 'batch.id': 'uuid' }, direction: 'desc' },
      page,
    ).execute()
  const own = await pageOf(batches(db).where('batch.created_by', '=', authorId))
  const sent = await pageOf(batches(db).where('batch.integration_id', 'is not', null))
  const newestFirst = (a: BatchRow, b: BatchRow) =>
    b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1)
  return [...own, ...sent].toSorted(newestFirst).slice(0, page.limit + 1)
}

export const insertBatch = (
  db: Db,
  batch: { id: string; name: string; created_by?: string; source?: BatchSource; integration_id?: string },
) => db.insertInto('batch').values(batch).execute()

/** Locks and returns the newest open batch of an integration that was begun on this day in Romania: nobody closes it meanwhile. */
export const selectBatchOfDay = (db: Db, integrationId: string, day: string) =>
  db
    .selectFrom('batch')
    .select('id')
    .where('integration_id', '=', integrationId)
    .where('closed_at', 'is', null)
    .where('created_at', '>=', startOfDay(day))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** What the sender states of the upload that its document will be. */
export type IntakeDraft = {
  /** The integration's own key of the document. */
  key: string
  title: string
  institution_id: string | null
  category_slug: string | null
  examined_on: string | null
  accession_number: string | null
  referring_doctor: string | null
}

/** Adds the draft of a document that an integration has sent. */
export const insertIntakeDraft = (
  db: Db,
  { key, ...draft }: IntakeDraft & { id: string; batch_id: string; integration_id: string },
) =>
  db
    .insertInto('upload')
    .values({ ...draft, batch_key: key, source: 'bulk', state: 'receiving' })
    .execute()

/**
 * Locks a batch until the transaction ends, so that its groups change one at a time. Not with `for update`, which a check of a
 * foreign key waits for: a filing that has locked its group and changes it twice would wait for whoever waits for the group.
 */
export const lockBatch = (db: Db, id: string) =>
  db
    .selectFrom('batch')
    .select(['id', 'version', 'closed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Raises the version of a batch, which the transaction has locked, and returns it. */
export const raiseBatchVersion = async (db: Db, id: string): Promise<number> => {
  const { version } = await db
    .updateTable('batch')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export const updateClosedAt = (db: Db, id: string, closedAt: Date | null) =>
  db.updateTable('batch').set({ closed_at: closedAt }).where('id', '=', id).execute()

const IS_OPEN = sql<SqlBool>`upload.state = 'receiving'`
/** A patient, or the one into whom this one was merged. */
const survivorOf = (column: string) =>
  sql<string | null>`coalesce(surviving_patient(${sql.ref(column)}), ${sql.ref(column)})`

/** Whether a choice was made for the files that the group has now. */
const IS_OF_FILES = sql<SqlBool>`batch_choice.file_ids @> array(
    select file.id from file where file.upload_id = batch_choice.upload_id and file.removed_at is null)
  and cardinality(batch_choice.file_ids) = (
    select count(*) from file where file.upload_id = batch_choice.upload_id and file.removed_at is null)`
const HAS_FILE = sql<SqlBool>`exists (select from file where file.upload_id = upload.id and file.removed_at is null)`

/** A group that was filed stays one of its batch, whatever its state is. */
const CONDITIONS: Readonly<Record<BatchFilter, RawBuilder<SqlBool>>> = {
  waiting: sql`${IS_OPEN} and batch_proposal.upload_id is null`,
  ready: sql`${IS_OPEN} and batch_proposal.is_ready`,
  sure: sql`${IS_OPEN} and batch_proposal.confidence = 'sure'`,
  likely: sql`${IS_OPEN} and batch_proposal.confidence = 'likely'`,
  none: sql`${IS_OPEN} and batch_proposal.confidence = 'none'`,
  conflict: sql`${IS_OPEN} and batch_proposal.confidence = 'conflict'`,
  duplicate: sql`${IS_OPEN} and batch_proposal.is_duplicate`,
  unreadable: sql`${IS_OPEN} and batch_proposal.is_unreadable`,
  refused: sql`${IS_OPEN} and batch_proposal.is_refused`,
  filed: sql`upload.filed_at is not null`,
}
const IS_GROUP = sql<SqlBool>`(${IS_OPEN} or upload.filed_at is not null)`

const groups = (db: Db, batchId: string) =>
  db
    .selectFrom('upload')
    .leftJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .where('upload.batch_id', '=', batchId)
    .where('upload.deleted_at', 'is', null)

/** The draft of an announced file that has not arrived. */
const IS_MISSING = sql<SqlBool>`(${IS_OPEN} and upload.batch_key is not null and not ${HAS_FILE})`

export type BatchCounts = Record<BatchFilter | 'released' | 'rejected' | 'announced' | 'missing', number>

/** Whether a group was filed and came to this state. */
const isFiledAs = (state: UploadState) =>
  sql<SqlBool>`upload.filed_at is not null and upload.state = ${state}`

/** Counts the groups of a batch, what became of those that were filed, the files that were announced, and those of them that have not arrived. */
export const countGroups = async (db: Db, batchId: string): Promise<BatchCounts> => {
  const row = await groups(db, batchId)
    .select((eb) => [
      ...BATCH_FILTERS.map((filter) => eb.fn.countAll<number>().filterWhere(CONDITIONS[filter]).as(filter)),
      eb.fn.countAll<number>().filterWhere(isFiledAs('released')).as('released'),
      eb.fn.countAll<number>().filterWhere(isFiledAs('rejected')).as('rejected'),
      sql<number>`count(upload.batch_key)`.as('announced'),
      eb.fn.countAll<number>().filterWhere(IS_MISSING).as('missing'),
    ])
    .executeTakeFirstOrThrow()
  return row as BatchCounts
}

/** Returns one page of the groups of a batch in the order in which they were announced. */
export const selectGroups = (db: Db, batchId: string, filter: BatchFilter | null, page: PageRequest) =>
  keyset(
    groups(db, batchId)
      .leftJoin('batch_choice', (on) => on.onRef('batch_choice.upload_id', '=', 'upload.id').on(IS_OF_FILES))
      .selectAll('batch_proposal')
      .select(['upload.id', 'upload.created_at', 'upload.filed_at'])
      .select(survivorOf('batch_choice.patient_id').as('chosen_id'))
      .where(filter ? CONDITIONS[filter] : IS_GROUP),
    { by: { 'upload.created_at': 'timestamptz', 'upload.id': 'uuid' }, direction: 'asc' },
    page,
  ).execute()

export type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number]

/** Returns names that the files of groups state, each once for a group and at most `limit` of one group. */
export const selectStatedNames = (
  db: Db,
  uploadIds: readonly string[],
  limit: number,
): Promise<{ upload_id: string; name: string }[]> =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('file')
        .innerJoin('file_fact', 'file_fact.file_id', 'file.id')
        .select(['file.upload_id', 'file_fact.value as name'])
        .select(
          sql<number>`row_number() over (partition by file.upload_id order by file_fact.value)`.as('place'),
        )
        .where(sql<SqlBool>`file.upload_id = any(${[...uploadIds]}::uuid[])`)
        .where('file.removed_at', 'is', null)
        .where('file_fact.kind', '=', 'name')
        .where('file_fact.is_doubtful', 'is', false)
        .groupBy(['file.upload_id', 'file_fact.value'])
        .as('stated'),
    )
    .select(['upload_id', 'name'])
    .where('place', '<=', limit)
    .orderBy('name')
    .execute()

/** Counts the files that were announced in a batch. */
export const countAnnounced = async (db: Db, batchId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('upload')
    .select(sql<number>`count(*)`.as('count'))
    .where('batch_id', '=', batchId)
    .where('batch_key', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds an empty draft for each file that was not announced before; returns the ids of those added. */
export const insertAnnounced = async (
  db: Db,
  { batchId, authorId }: { batchId: string; authorId: string },
  files: readonly { id: string; key: string; name: string }[],
): Promise<string[]> => {
  const rows = await db
    .insertInto('upload')
    .values(
      files.map(({ id, key, name }) => ({
        id,
        batch_id: batchId,
        batch_key: key,
        title: name,
        created_by: authorId,
        source: 'bulk' as const,
        state: 'receiving' as const,
      })),
    )
    .onConflict((on) => on.columns(['batch_id', 'batch_key']).where('batch_key', 'is not', null).doNothing())
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the drafts of announced files, with their unfinished transfer, and whether the file has arrived. */
export const selectAnnounced = (db: Db, batchId: string, keys: readonly string[]) =>
  db
    .selectFrom('upload')
    .select([
      'upload.id',
      'upload.batch_key as key',
      // Files of an emptied draft have joined another group.
      sql<boolean>`upload.state <> 'receiving' or exists (select from file where file.upload_id = upload.id)`.as(
        'is_received',
      ),
    ])
    .where('batch_id', '=', batchId)
    .where(sql<SqlBool>`batch_key = any(${[...keys]}::text[])`)
    .execute()

type ProposalRow = Selectable<DB['batch_proposal']>
/** What is written of a proposal. `patients`: each with the reasons. */
export type ProposalToSave = Omit<ProposalRow, 'is_ready' | 'patients'> & {
  patients: readonly ProposedPatientRow[]
}
/** A patient as the column `patients` has it. */
export type ProposedPatientRow = { id: string; reasons: readonly MatchReason[] }

export const selectProposal = (db: Db, uploadId: string) =>
  db.selectFrom('batch_proposal').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()

/** Saves a proposal in place of an earlier one. */
export async function saveProposal(db: Db, { patients, ...proposal }: ProposalToSave): Promise<void> {
  const values = { ...proposal, patients: JSON.stringify(patients) }
  await db
    .insertInto('batch_proposal')
    .values(values)
    .onConflict((on) => on.column('upload_id').doUpdateSet(values))
    .execute()
}

export const deleteProposal = (db: Db, uploadId: string) =>
  db.deleteFrom('batch_proposal').where('upload_id', '=', uploadId).execute()

/** Saves the patient whom a person has chosen for a group, in place of an earlier choice. */
export const saveChoice = (db: Db, choice: Selectable<DB['batch_choice']>) =>
  db
    .insertInto('batch_choice')
    .values(choice)
    .onConflict((on) => on.column('upload_id').doUpdateSet(choice))
    .execute()

/** Returns the patient whom a person has chosen for the group with the files that it has now. */
export const selectChosenId = async (db: Db, uploadId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('batch_choice')
    .select(survivorOf('patient_id').as('id'))
    .where('upload_id', '=', uploadId)
    .where(IS_OF_FILES)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns the groups of a batch with this key that no person has changed, with the numbers of their files. */
export const selectGroupsByKey = async (db: Db, batchId: string, key: string): Promise<OpenGroup[]> => {
  const { rows } = await sql<OpenGroup>`
    select upload.id, batch_proposal.group_key,
      (select count(*)::int from file where file.upload_id = upload.id and file.removed_at is null) as file_count
    from batch_proposal join upload on upload.id = batch_proposal.upload_id
    where batch_proposal.group_key = ${key} and upload.batch_id = ${batchId}::uuid and upload.state = 'receiving'
      and not batch_proposal.is_fixed and batch_proposal.upload_version = upload.version`.execute(db)
  return rows
}

/** Returns the groups of the batch that have a file with the bytes of one of this upload, which arrived before it. */
export const selectEarlierCopies = async (db: Db, uploadId: string, batchId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct copy.upload_id as id from file mine join file copy on copy.sha256 = mine.sha256 and copy.id < mine.id
      join upload on upload.id = copy.upload_id
    where mine.upload_id = ${uploadId}::uuid and mine.removed_at is null and copy.removed_at is null
      and upload.batch_id = ${batchId}::uuid and upload.state = 'receiving' order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the integration if it sends sure results to review and is not revoked. */
export const selectSubmitting = (db: Db, integrationId: string) =>
  db
    .selectFrom('integration')
    .select('name')
    .where('id', '=', integrationId)
    .where('submits_to_review', 'is', true)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/** Returns the open institution and the category of results of an integration that name none. */
export const selectDefaults = (db: Db, integrationId: string) =>
  db
    .selectFrom('integration')
    .leftJoin('institution', (on) =>
      on
        .onRef('institution.id', '=', 'integration.institution_id')
        .on('institution.suspended_at', 'is', null),
    )
    .leftJoin('category_slug_change as moved', 'moved.old_slug', 'integration.category_slug')
    .leftJoin('category', (on) =>
      on.on('category.slug', '=', sql<string>`coalesce(moved.new_slug, integration.category_slug)`),
    )
    .select(['institution.id as institution_id', 'category.slug as category_slug'])
    .where('integration.id', '=', integrationId)
    .executeTakeFirst()

/** Whether an upload has files that its author has taken out, and no other. */
export const hasOnlyRemovedFiles = async (db: Db, uploadId: string): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select count(*) > 0 and count(*) = count(removed_at) as found from file where upload_id = ${uploadId}::uuid`.execute(
    db,
  )
  return rows[0]?.found ?? false
}

/**
 * Returns the groups of open batches that are proposed for a patient with one of the ids, and those that are not ready and
 * have the CNP or the birth date.
 */
export const selectGroupsAbout = async (
  db: Db,
  ids: readonly string[],
  { cnp, birth_date }: { cnp: string | null; birth_date: string | null },
): Promise<{ id: string; batch_id: string }[]> => {
  const { rows } = await sql<{ id: string; batch_id: string }>`
    select upload.id, upload.batch_id from batch join upload on upload.batch_id = batch.id
      join batch_proposal on batch_proposal.upload_id = upload.id
    where batch.closed_at is null and upload.state = 'receiving' and upload.batch_id is not null
      and (batch_proposal.patient_id = any(${ids}::uuid[])
        or exists (select from jsonb_array_elements(batch_proposal.patients) found where found ->> 'id' = any(${ids}::text[]))
        or (not batch_proposal.is_ready and exists (
          select from file join file_fact fact on fact.file_id = file.id
          where file.upload_id = upload.id and file.removed_at is null
            and ((fact.kind = 'cnp' and fact.value = ${cnp}) or (fact.kind = 'birth-date' and fact.value = ${birth_date})))))
    order by upload.id`.execute(db)
  return rows
}

/** Returns the groups of open batches for which a category is at most proposed. */
export const selectGroupsWithoutCategory = (db: Db) =>
  db
    .selectFrom('batch')
    .innerJoin('upload', 'upload.batch_id', 'batch.id')
    .innerJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .select(['upload.id', 'upload.batch_id'])
    .where('batch.closed_at', 'is', null)
    .where('upload.state', '=', 'receiving')
    .where('upload.category_slug', 'is', null)
    .orderBy('upload.id')
    .execute()

/** Returns the next groups that can be filed together, after the group with the id `after`. */
export const selectReadyGroups = (db: Db, batchId: string, after: string | null, limit: number) =>
  groups(db, batchId)
    .select(['upload.id', 'upload.version', 'batch_proposal.upload_version', 'batch_proposal.batch_version'])
    .where(CONDITIONS.ready)
    .$if(after !== null, (query) => query.where('upload.id', '>', after))
    .orderBy('upload.id')
    .limit(limit + 1)
    .execute()

/** Returns the next groups that were filed since, after the group with the id `after`. */
export const selectFiledGroups = (
  db: Db,
  batchId: string,
  { since, after }: { since: Date; after: string | null },
  limit: number,
) =>
  groups(db, batchId)
    .select('upload.id')
    .where('upload.filed_at', '>', since)
    .$if(after !== null, (query) => query.where('upload.id', '>', after))
    .orderBy('upload.id')
    .limit(limit + 1)
    .execute()

/** Returns the groups of a batch that were not filed, and whether each waits for a file that has not arrived. */
export const selectOpenGroups = (db: Db, batchId: string) =>
  groups(db, batchId)
    .select(['upload.id', IS_MISSING.as('is_missing')])
    .where(IS_OPEN)
    .orderBy('upload.id')
    .execute()

/** Whether somebody has given a verdict on the upload that was not undone. */
export const hasVerdict = async (db: Db, uploadId: string): Promise<boolean> =>
  (await db
    .selectFrom('review')
    .select('id')
    .where('upload_id', '=', uploadId)
    .where('undone_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** Returns the names and ids of what proposals name, for one page of groups. */
export const selectNamed = async (
  db: Db,
  {
    patientIds,
    institutionIds,
    slugs,
  }: { patientIds: readonly string[]; institutionIds: readonly string[]; slugs: readonly string[] },
) => ({
  patients: await db
    .selectFrom('patient')
    .select(['id', 'number', 'surname', 'given_names', 'previous_surname', 'cnp', 'birth_date'])
    .where(sql<SqlBool>`id = any(${patientIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute(),
  institutions: await db
    .selectFrom('institution')
    .select(['id', 'name', 'short_name', 'code'])
    .where(sql<SqlBool>`id = any(${institutionIds}::uuid[])`)
    .execute(),
  categories: await db
    .selectFrom('category')
    .select(['slug', 'name'])
    .where(sql<SqlBool>`slug = any(${slugs}::text[])`)
    .execute(),
})
