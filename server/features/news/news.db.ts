import { type Insertable, type SqlBool, sql } from 'kysely'
import { NEWS_KINDS, type NewsKind, type NewsVisibility } from '../../../shared/news/news.ts'
import { todayInRomania } from '../../../shared/romania/day.ts'
import { countRows } from '../../platform/database/count-rows.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  type Placeholders,
  staticQueries,
  staticQuery,
  type Value,
} from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import type { NewsScope } from './news.access.ts'

const institutionsOf = (scope: NewsScope): readonly string[] =>
  scope.kind === 'shown-to' ? scope.institutionIds : []

/** Returns the condition for the news of a scope, without those that were removed unless staff ask for them. */
const visible = (scope: NewsScope) =>
  scope.kind === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`news.visibility <> 'staff' and exists (select from referral
        where referral.patient_id = news.patient_id and referral.ended_at is null
          and referral.institution_id = any(${institutionsOf(scope)}::uuid[]))`

const isPinned = (today: Value<string>) => sql<boolean>`coalesce(news.pinned_until >= ${today}::date, false)`

/** A writer has read their own text. */
const isUnread = (readerId: Value<string | null>) =>
  sql<boolean>`news_reading.revision is distinct from news.revision and news.written_by is distinct from ${readerId}::uuid`

const news = (
  db: Db,
  scope: NewsScope,
  readerId: Value<string | null>,
  today: Value<string> = todayInRomania(),
) =>
  db
    .selectFrom('news')
    // Guests read the names of their own colleagues alone.
    .leftJoin('app_user as author', 'author.id', 'news.created_by')
    .leftJoin('app_user as writer', 'writer.id', 'news.written_by')
    .leftJoin('app_user as remover', 'remover.id', 'news.removed_by')
    .leftJoin('news_reading', (on) =>
      on.onRef('news_reading.news_id', '=', 'news.id').on('news_reading.user_id', '=', readerId),
    )
    .selectAll('news')
    .select([
      'author.name as author_name',
      'writer.name as writer_name',
      'remover.name as remover_name',
      isPinned(today).as('is_pinned'),
      isUnread(readerId).as('is_unread'),
    ])
    .where(visible(scope))

export type NewsRow = NonNullable<Awaited<ReturnType<typeof selectNews>>>

/** Returns one entry that was not removed. */
export const selectNews = (db: Db, scope: NewsScope, readerId: string, id: string) =>
  news(db, scope, readerId).where('news.id', '=', id).where('news.removed_at', 'is', null).executeTakeFirst()

/** Warnings come first, then what is pinned, then the newest. */
const inOrder = (query: ReturnType<typeof news>, today: Value<string> = todayInRomania()) =>
  query
    .orderBy(sql`array_position(${sql.val([...NEWS_KINDS])}::text[], news.kind) > 1`)
    .orderBy(isPinned(today), 'desc')
    .orderBy('news.written_at', 'desc')
    .orderBy('news.id', 'desc')

const newsForStaff = staticQuery(
  (db, slot: Placeholders<{ readerId: string; patientId: string; today: string }>) =>
    inOrder(
      news(db, { kind: 'all' }, slot('readerId'), slot('today'))
        .where('news.patient_id', '=', slot('patientId'))
        .where('news.removed_at', 'is', null),
      slot('today'),
    ),
)

/** Returns the news about a patient in their order; of those that were removed the last removed first. */
export const selectNewsOf = (
  db: Db,
  scope: NewsScope,
  readerId: string,
  patientId: string,
  { isRemoved }: { isRemoved: boolean },
): Promise<NewsRow[]> => {
  if (scope.kind === 'all' && !isRemoved)
    return newsForStaff(db, { readerId, patientId, today: todayInRomania() })
  const query = news(db, scope, readerId).where('news.patient_id', '=', patientId)
  return isRemoved
    ? query.where('news.removed_at', 'is not', null).orderBy('news.removed_at', 'desc').execute()
    : inOrder(query.where('news.removed_at', 'is', null)).execute()
}

/** Returns the news that the patient reads, in their order. */
export const selectNewsForPatient = (db: Db, patientId: string) =>
  inOrder(
    news(db, { kind: 'all' }, null)
      .where('news.patient_id', '=', patientId)
      .where('news.removed_at', 'is', null)
      .where('news.visibility', '=', 'patient'),
  ).execute()

/** Returns the id of an entry that the author has written about the patient with this very text since then. */
export const selectEqual = (
  db: Db,
  {
    patientId,
    authorId,
    since,
    kind,
    text,
    visibility,
  }: NewsText & { patientId: string; authorId: string; since: Date },
) =>
  db
    .selectFrom('news')
    .select('id')
    .where('patient_id', '=', patientId)
    .where('written_by', '=', authorId)
    .where('kind', '=', kind)
    .where('text', '=', text)
    .where('visibility', '=', visibility)
    .where('written_at', '>=', since)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

export const countNewsOf = (db: Db, patientId: string): Promise<number> =>
  countRows(db, db.selectFrom('news').select('news.id').where('patient_id', '=', patientId))

/** Returns the patient of an entry, also of one that was removed. */
export const selectPatientOf = (db: Db, id: string) =>
  db.selectFrom('news').select('patient_id').where('id', '=', id).executeTakeFirst()

/** Locks the entry until the transaction ends. */
export const lockNews = (db: Db, id: string) =>
  db.selectFrom('news').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export const insertNews = (db: Db, row: Insertable<DB['news']>) => db.insertInto('news').values(row).execute()

export type NewsText = { kind: NewsKind; text: string; visibility: NewsVisibility }

/** Keeps the present texts of the entries for staff, and writes others: a locked entry, or all that a merge has locked. */
export async function rewriteNews(
  db: Db,
  ids: readonly string[],
  change: Partial<NewsText>,
  { writerId, now }: { writerId: string; now: Date },
): Promise<void> {
  await db
    .insertInto('news_revision')
    .columns(['news_id', 'revision', 'kind', 'text', 'visibility', 'written_by', 'written_at'])
    .expression(
      db
        .selectFrom('news')
        .select(['id', 'revision', 'kind', 'text', 'visibility', 'written_by', 'written_at'])
        .where(sql<SqlBool>`id = any(${ids}::uuid[])`),
    )
    .execute()
  await db
    .updateTable('news')
    .set((eb) => ({
      ...change,
      revision: eb('revision', '+', 1),
      version: eb('version', '+', 1),
      written_by: writerId,
      written_at: now,
    }))
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
}

/** Changes a locked entry, but not what it says. */
export const updateNews = (
  db: Db,
  id: string,
  change: { pinned_until: string | null } | { removed_at: Date; removed_by: string },
) =>
  db
    .updateTable('news')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Notes that the reader has read these texts of the entries; an older one than was read before changes nothing. */
export const upsertReadings = (
  db: Db,
  readings: readonly { news_id: string; user_id: string; revision: number; read_at: Date }[],
) =>
  db
    .insertInto('news_reading')
    .values([...readings])
    .onConflict((on) =>
      on
        .columns(['news_id', 'user_id'])
        .doUpdateSet((eb) => ({ revision: eb.ref('excluded.revision'), read_at: eb.ref('excluded.read_at') }))
        .whereRef('news_reading.revision', '<', 'excluded.revision'),
    )
    .execute()

/** Returns the entries of the scope among these. */
export const selectNewsByIds = (db: Db, scope: NewsScope, readerId: string, ids: readonly string[]) =>
  news(db, scope, readerId)
    .where(sql<SqlBool>`news.id = any(${ids}::uuid[])`)
    .where('news.removed_at', 'is', null)
    .execute()

/** Returns the former texts of several entries, the last first. */
export const selectRevisions = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('news_revision')
    .innerJoin('app_user', 'app_user.id', 'news_revision.written_by')
    .selectAll('news_revision')
    .select('app_user.name as writer_name')
    .where(sql<SqlBool>`news_id = any(${ids}::uuid[])`)
    .orderBy('news_id')
    .orderBy('revision', 'desc')
    .execute()

export type RevisionRow = Awaited<ReturnType<typeof selectRevisions>>[number]

/** Returns who has read several entries and which text of each, the last first. */
export const selectReadings = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('news_reading')
    .innerJoin('app_user', 'app_user.id', 'news_reading.user_id')
    .innerJoin('news', 'news.id', 'news_reading.news_id')
    .select([
      'news_reading.news_id',
      'news_reading.read_at',
      'app_user.name',
      sql<boolean>`news_reading.revision = news.revision`.as('is_current'),
    ])
    .where(sql<SqlBool>`news_reading.news_id = any(${ids}::uuid[])`)
    .orderBy('news_reading.news_id')
    .orderBy('news_reading.read_at', 'desc')
    .execute()

export type ReadingRow = Awaited<ReturnType<typeof selectReadings>>[number]

type MarksValues = { readerId: string; patientIds: readonly string[]; institutionIds: readonly string[] }

const marksOf = staticQueries(
  (kind: NewsScope['kind']) => (db: Db, slot: Placeholders<MarksValues>) =>
    db
      .selectFrom('news')
      .leftJoin('news_reading', (on) =>
        on.onRef('news_reading.news_id', '=', 'news.id').on('news_reading.user_id', '=', slot('readerId')),
      )
      .select([
        'news.patient_id',
        sql<number>`count(*) filter (where news.kind = 'warning')::int`.as('warnings'),
        sql<number>`count(*) filter (where ${isUnread(slot('readerId'))})::int`.as('unread'),
      ])
      .where(sql<SqlBool>`news.patient_id = any(${slot('patientIds')}::uuid[])`)
      .where('news.removed_at', 'is', null)
      // The values of the scope are filled in by each reader.
      .where(visible({ kind, institutionIds: slot('institutionIds') } as never))
      .groupBy('news.patient_id'),
)

/** Returns how many warnings and unread entries each patient has for a reader; patients without news are left out. */
export const selectMarks = (db: Db, scope: NewsScope, readerId: string, patientIds: readonly string[]) =>
  marksOf(scope.kind)(db, { readerId, patientIds, institutionIds: institutionsOf(scope) })

export type MarksRow = Awaited<ReturnType<typeof selectMarks>>[number]

/** Moves the news of a patient, with `ids` only these, also what was removed; returns their ids. */
export const moveNewsRows = (db: Db, from: string, to: string, ids: readonly string[] | null) =>
  db
    .updateTable('news')
    .set((eb) => ({ patient_id: to, version: eb('version', '+', 1) }))
    .where('patient_id', '=', from)
    .$if(ids !== null, (query) => query.where(sql<SqlBool>`id = any(${ids}::uuid[])`))
    .returning('id')
    .execute()

const isOpenTo = (patient: ReturnType<typeof sql>) =>
  sql`select institution_id from referral where referral.patient_id = ${patient} and referral.ended_at is null`

/** Returns the names of institutions that read no news of one of the two patients, and would read some that the other has. */
export const selectInstitutionsShownByOther = (db: Db, [one, other]: readonly [string, string]) =>
  db
    .selectFrom('institution')
    .select('institution.name')
    .distinct()
    .where(
      sql<SqlBool>`exists (select from (values (${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid)) pair (owner, referred)
        where institution.id in (${isOpenTo(sql`pair.referred`)})
          and institution.id not in (${isOpenTo(sql`pair.owner`)})
          and exists (select from news where news.patient_id = pair.owner and news.removed_at is null
            and news.visibility <> 'staff'))`,
    )
    .orderBy('institution.name')
    .execute()

/** Whether a link with results of one of two patients, for that patient or a designated person, would show news of the other. */
export const isShownByLinkOfOther = async (
  db: Db,
  [one, other]: readonly [string, string],
): Promise<boolean> => {
  const { rows } = await sql<{ is_shown: boolean }>`
    select exists (
      select from (values (${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid)) pair (owner, shared)
      where exists (select from news where news.patient_id = pair.owner and news.removed_at is null
          and news.visibility = 'patient')
        and exists (select from share where share.patient_id = pair.shared and share.ended_at is null
          and share.expires_at > now() and share.recipient_kind in ('patient', 'designated'))) as is_shown`.execute(
    db,
  )
  return rows[0]!.is_shown
}

/** Returns the entries of the patients that were written since then and not removed. */
export const selectWrittenSince = (db: Db, patientIds: readonly string[], since: Date) =>
  db
    .selectFrom('news')
    .select(['id', 'visibility'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('removed_at', 'is', null)
    .where('written_at', '>=', since)
    .forUpdate()
    .execute()

/** Deletes at most `limit` entries that were removed before then, with their former texts; returns their number. */
export const deleteRemovedBefore = async (db: Db, before: Date, limit: number): Promise<number> =>
  (
    await db
      .deleteFrom('news')
      .where('id', 'in', (eb) =>
        eb.selectFrom('news').select('id').where('removed_at', '<', before).limit(limit),
      )
      .returning('id')
      .execute()
  ).length
