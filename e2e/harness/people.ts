import { newId } from '../../server/platform/ids.ts'
import { INSTITUTION, REVIEWER } from './accounts.ts'
import type { Product } from './product.ts'

/** An account made for one test. */
export type Person = { id: string; email: string; name: string }

/** Makes an account with the role, the rights and the password of the demo account `like`. */
export async function makePerson({ db }: Product, like: string = REVIEWER): Promise<Person> {
  const { role, features, status, password_hash } = await db
    .selectFrom('app_user')
    .select(['role', 'features', 'status', 'password_hash'])
    .where('email', '=', like)
    .executeTakeFirstOrThrow()
  const id = newId()
  const person = { id, email: `persoana-${id.slice(-8)}@dosar.test`, name: 'Ilinca Țurcanu' }
  await db
    .insertInto('app_user')
    .values({ ...person, role, features, status, password_hash })
    .execute()
  return person
}

/** Makes an account of an institution, which has everything in its inbox that is released from then on. */
export async function makeClerk(product: Product, name: string, institutionId: string): Promise<Person> {
  const person = await makePerson(product, INSTITUTION)
  await product.db.updateTable('app_user').set({ name }).where('id', '=', person.id).execute()
  await product.db
    .insertInto('user_institution')
    .values({ user_id: person.id, institution_id: institutionId, joined_at: new Date(0) })
    .execute()
  return { ...person, name }
}

/** Changes a setting of the site, which applies from the next request on; returns a function that restores it. */
export async function setSetting({ db }: Product, key: string, value: unknown): Promise<() => Promise<void>> {
  const write = async (text: string) => {
    await db
      .insertInto('site_setting')
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: text }))
      .execute()
  }
  const before = await db.selectFrom('site_setting').select('value').where('key', '=', key).executeTakeFirst()
  await write(JSON.stringify(value))
  return async () => {
    if (before) await write(JSON.stringify(before.value))
    else await db.deleteFrom('site_setting').where('key', '=', key).execute()
  }
}
