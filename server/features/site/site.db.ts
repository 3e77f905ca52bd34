import type { Db } from '../../platform/database.ts'

/** The stored settings by key; what is not stored has its default. */
export async function selectSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('site_setting').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export async function upsertSettings(db: Db, settings: Record<string, unknown>): Promise<void> {
  const rows = Object.entries(settings).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
  await db
    .insertInto('site_setting')
    .values(rows)
    .onConflict((on) => on.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
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
