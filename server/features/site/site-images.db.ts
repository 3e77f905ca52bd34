import { type SqlBool, sql } from 'kysely'
import type { SiteImageKind } from '../../../shared/site/setting-bounds.ts'
import type { Db } from '../../platform/database/database.ts'

const FOLDER = '/site-images/'
const keyOf = (address: string): string => address.slice(FOLDER.length)
export const siteImageAddress = (key: string): string => FOLDER + key

export const insertSiteImage = (
  db: Db,
  image: {
    key: string
    kind: SiteImageKind
    type: string
    width: number
    height: number
    bytes: Buffer
    created_at: Date
  },
) => db.insertInto('site_image').values(image).execute()

/** Returns whether an image of this kind is stored at this address; locks its row. */
export const hasSiteImage = async (db: Db, address: string, kind: SiteImageKind): Promise<boolean> =>
  (await db
    .selectFrom('site_image')
    .where('key', '=', keyOf(address))
    .where('kind', '=', kind)
    .select('key')
    .forUpdate()
    .executeTakeFirst()) !== undefined

export const selectSiteImage = (db: Db, key: string) =>
  db.selectFrom('site_image').where('key', '=', key).select(['type', 'bytes']).executeTakeFirst()

export const deleteSiteImages = (db: Db, addresses: readonly string[]) =>
  db.deleteFrom('site_image').where('key', 'in', addresses.map(keyOf)).execute()

/** Deletes images created before `before` that no setting, of which `used` has the addresses, and no institution uses. */
export const deleteUnusedSiteImages = (db: Db, before: Date, used: readonly string[]) =>
  db
    .deleteFrom('site_image')
    .where('created_at', '<', before)
    .where('key', 'not in', ['', ...used.map(keyOf)])
    .where(
      sql<SqlBool>`not exists (select from institution where institution.logo = ${FOLDER} || site_image.key)`,
    )
    .execute()
