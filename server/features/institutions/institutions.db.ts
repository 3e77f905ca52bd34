import { type SqlBool, sql } from 'kysely'
import { queryWords } from '../../../shared/romania/names.ts'
import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import { invitationExpiresAt } from '../accounts/users/invitation.sql.ts'
import { effectiveStatus } from '../site/effective-status.sql.ts'
import type { InstitutionScope } from './institutions.access.ts'

const institutions = (db: Db, scope: InstitutionScope) =>
  db
    .selectFrom('institution')
    .selectAll()
    .$if(scope.kind === 'own', (query) =>
      query.where(sql<SqlBool>`institution.id = any(${scope.kind === 'own' ? scope.ids : []}::uuid[])`),
    )

export type InstitutionRow = NonNullable<Awaited<ReturnType<typeof selectInstitution>>>

export const selectInstitution = (db: Db, scope: InstitutionScope, id: string) =>
  institutions(db, scope).where('id', '=', id).executeTakeFirst()

/**
 * Returns institutions by name whose name, short name, code or locality contains every word of `search`; with
 * `open` without suspended ones. There are hundreds at most, so it scans them.
 */
export function selectInstitutions(
  db: Db,
  scope: InstitutionScope,
  { search, open }: { search: string; open: boolean },
  page: PageRequest,
) {
  let query = institutions(db, scope)
  for (const word of queryWords(search)) query = query.where('search', 'like', `%${word}%`)
  if (open) query = query.where('suspended_at', 'is', null)
  return keyset(query, { by: { name_key: 'text', id: 'uuid' }, direction: 'asc' }, page).execute()
}

export const EDITABLE = [
  'name',
  'short_name',
  'kind',
  'code',
  'cui',
  'trade_register',
  'county',
  'locality',
  'address',
  'phone',
  'email',
  'contacts',
  'delivery',
  'may_upload',
  'accent',
  'logo',
] as const

type Values = Pick<InstitutionRow, (typeof EDITABLE)[number] | 'name_key' | 'search'>
type Changes = Partial<Values & Pick<InstitutionRow, 'suspended_at'>>

export const insertInstitution = (db: Db, values: Values & { id: string }) =>
  db.insertInto('institution').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns undefined if `version` is no longer the stored version. */
export const updateInstitutionRow = (db: Db, id: string, version: number, now: Date, values: Changes) =>
  db
    .updateTable('institution')
    .set({ ...values, updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()

/** Sessions that expired earlier are not read for the last use. */
const LAST_USE_DAYS = 30

/** When an account was last used: in its sessions of the last weeks, else at its last sign-in. */
const lastUsedAt = sql<Date | null>`greatest(app_user.last_sign_in_at, (
  select max(last_seen_at) from session
  where session.user_id = app_user.id and session.expires_at > now() - make_interval(days => ${sql.lit(LAST_USE_DAYS)})))`

export const selectInstitutionUsers = (
  db: Db,
  institutionId: string,
  { withLastUse }: { withLastUse: boolean },
) =>
  db
    .selectFrom('user_institution')
    .innerJoin('app_user', 'app_user.id', 'user_institution.user_id')
    .select(['app_user.id', 'app_user.name', 'app_user.email', 'app_user.status', 'app_user.last_sign_in_at'])
    .select([invitationExpiresAt.as('invitation_expires_at'), effectiveStatus.as('effective_status')])
    .$if(withLastUse, (query) => query.select(lastUsedAt.as('last_used_at')))
    .where('user_institution.institution_id', '=', institutionId)
    .orderBy('app_user.name')
    .execute()

export type InstitutionUserRow = Awaited<ReturnType<typeof selectInstitutionUsers>>[number]

/** Returns the accounts of an institution with their effective status. */
export const selectMembers = (db: Db, institutionId: string) =>
  db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_institution.user_id', 'app_user.id')
    .where('user_institution.institution_id', '=', institutionId)
    .select(['app_user.id', effectiveStatus.as('effective_status')])
    .execute()

/** States of uploads that are not released yet but may be. */
const WAITING: UploadState[] = ['checking', 'unassigned', 'in_review', 'accepted']

/** The effects that suspending an institution would have now. */
export type SuspensionEffects = {
  /** Accounts that would lose all access, and accounts that would keep another institution. */
  losing: number
  keeping: number
  /**
   * Uploads for the institution that are being checked, wait for a patient or a review, or are accepted but
   * not released.
   */
  waiting: number
}

export async function selectSuspension(db: Db, institutionId: string): Promise<SuspensionEffects> {
  const others = sql<boolean>`exists (
    select from user_institution ui join institution i on i.id = ui.institution_id
    where ui.user_id = app_user.id and i.id <> ${institutionId}::uuid and i.suspended_at is null)`
  const { losing, keeping } = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_institution.user_id', 'app_user.id')
    .where('user_institution.institution_id', '=', institutionId)
    .where('app_user.status', '<>', 'suspended')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(others, '=', false).as('losing'),
      fn.countAll<number>().filterWhere(others, '=', true).as('keeping'),
    ])
    .executeTakeFirstOrThrow()
  const { waiting } = await db
    .selectFrom('upload')
    .where('institution_id', '=', institutionId)
    .where('state', 'in', WAITING)
    .where('deleted_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return { losing, keeping, waiting }
}
