import { sql } from 'kysely'
import type { IntegrationKind } from '../../../shared/integrations.ts'
import type { Db } from '../../platform/database/database.ts'

const integrations = (db: Db) =>
  db
    .selectFrom('integration')
    .leftJoin('institution', 'institution.id', 'integration.institution_id')
    .leftJoin('category_slug_change as moved', 'moved.old_slug', 'integration.category_slug')
    // None if the category was removed.
    .leftJoin('category', (on) =>
      on.on('category.slug', '=', sql<string>`coalesce(moved.new_slug, integration.category_slug)`),
    )
    .select([
      'integration.id',
      'integration.name',
      'integration.kind',
      'integration.hint',
      'integration.institution_id',
      'category.slug as category_slug',
      'integration.addresses',
      'integration.submits_to_review',
      'integration.version',
      'integration.created_at',
      'integration.last_used_at',
      'integration.revoked_at',
      sql<string | null>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
      'category.name as category_name',
    ])

/** Selects all integrations, revoked ones included, newest first. */
export const selectIntegrations = (db: Db) =>
  integrations(db).orderBy('integration.created_at', 'desc').orderBy('integration.id', 'desc').execute()

export type IntegrationRow = Awaited<ReturnType<typeof selectIntegrations>>[number]

export const selectIntegration = (db: Db, id: string) =>
  integrations(db).where('integration.id', '=', id).executeTakeFirst()

/** Locks an integration until the transaction ends, and not against drafts that people make of its files. */
export const lockIntegration = (db: Db, id: string) =>
  db
    .selectFrom('integration')
    .select(['id', 'revoked_at', 'addresses'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** What administrators choose. */
export type IntegrationValues = {
  name: string
  kind: IntegrationKind
  institution_id: string | null
  category_slug: string | null
  addresses: string[]
  submits_to_review: boolean
}

export const insertIntegration = (
  db: Db,
  row: IntegrationValues & {
    id: string
    key_hash: Buffer
    hint: string
    created_by: string
    created_at: Date
  },
) => db.insertInto('integration').values(row).execute()

/** Returns undefined if `version` is no longer the stored version. */
export const updateIntegrationRow = (db: Db, id: string, version: number, values: IntegrationValues) =>
  db
    .updateTable('integration')
    .set({ ...values, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

export const updateIntegrationRevoked = (db: Db, id: string, now: Date) =>
  db
    .updateTable('integration')
    .set((eb) => ({ revoked_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Selects the unrevoked integration with this key. */
export const selectIntegrationByHash = (db: Db, keyHash: Buffer) =>
  db
    .selectFrom('integration')
    .select(['id', 'name', 'addresses', 'last_used_at'])
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const touchIntegration = (db: Db, id: string, now: Date) =>
  db.updateTable('integration').set({ last_used_at: now }).where('id', '=', id).execute()
