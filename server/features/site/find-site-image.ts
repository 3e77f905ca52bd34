import type { Db } from '../../platform/database/database.ts'
import { selectSiteImage } from './site-images.db.ts'

/** As `newToken` makes them; a NUL the database would not even look for. */
const KEY = /^[\w-]{1,64}$/

/** A picture of the organisation by the key of its address. */
export const findSiteImage = async (
  db: Db,
  key: string,
): Promise<{ type: string; bytes: Buffer } | undefined> =>
  KEY.test(key) ? selectSiteImage(db, key) : undefined
