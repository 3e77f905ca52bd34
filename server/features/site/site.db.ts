import type { Db } from '../../platform/database/database.ts'

/** The stored settings by key; what is not stored has its default. */
export async function selectSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('site_setting').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export async function upsertSettings(
  db: Db,
  settings: Record<string, unknown>,
  now = new Date(),
): Promise<void> {
  const rows = Object.entries(settings).map(([key, value]) => ({
    key,
    value: JSON.stringify(value),
    updated_at: now,
  }))
  await db
    .insertInto('site_setting')
    .values(rows)
    .onConflict((on) =>
      on.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: now })),
    )
    .execute()
}

/** The active accounts with an address of this domain, by address. */
export const selectAccountsOfDomain = (db: Db, domain: string) =>
  db
    .selectFrom('app_user')
    .where('email', 'like', `%@${domain}`)
    .where('status', '=', 'active')
    .select(['email', 'role'])
    .orderBy('email')
    .execute()

/** The version of the settings; until the end of the transaction nobody else saves any. */
export const lockSiteVersion = async (db: Db): Promise<number> =>
  (await db.selectFrom('site_version').select('version').forUpdate().executeTakeFirstOrThrow()).version

export const bumpSiteVersion = (db: Db, savedBy: string, now: Date) =>
  db
    .updateTable('site_version')
    .set((eb) => ({ version: eb('version', '+', 1), saved_by: savedBy, saved_at: now }))
    .execute()

/** The version of the settings, and who saved it when; null where nobody has yet. */
export const selectLastSaving = (db: Db) =>
  db
    .selectFrom('site_version')
    .leftJoin('app_user', 'app_user.id', 'site_version.saved_by')
    .select(['site_version.version', 'site_version.saved_at', 'app_user.name'])
    .executeTakeFirstOrThrow()
