import type { Db } from '../../platform/database/database.ts'

/** Returns the stored settings by key; settings without a row are absent. */
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

/** Selects the active accounts with an address in this domain, ordered by address. */
export const selectAccountsOfDomain = (db: Db, domain: string) =>
  db
    .selectFrom('app_user')
    .where('email', 'like', `%@${domain}`)
    .where('status', '=', 'active')
    .select(['email', 'role'])
    .orderBy('email')
    .execute()

/** Returns the version of the settings and locks it against other saves until the transaction ends. */
export const lockSiteVersion = async (db: Db): Promise<number> =>
  (await db.selectFrom('site_version').select('version').forUpdate().executeTakeFirstOrThrow()).version

/** Raises the version of the settings and stores who saved them when. */
export const updateSiteVersion = (db: Db, savedBy: string, now: Date) =>
  db
    .updateTable('site_version')
    .set((eb) => ({ version: eb('version', '+', 1), saved_by: savedBy, saved_at: now }))
    .execute()

/** Selects the version of the settings, and who saved it when; null if they were never saved. */
export const selectLastSaving = (db: Db) =>
  db
    .selectFrom('site_version')
    .leftJoin('app_user', 'app_user.id', 'site_version.saved_by')
    .select(['site_version.version', 'site_version.saved_at', 'app_user.name'])
    .executeTakeFirstOrThrow()
