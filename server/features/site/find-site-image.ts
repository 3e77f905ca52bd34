import type { Db } from '../../platform/database/database.ts'
import { selectSiteImage } from './site-images.db.ts'

/** The format of `newToken`; also excludes a NUL character, on which the database would fail. */
const KEY = /^[\w-]{1,64}$/

/** Returns an image of the organisation by the key in its address; undefined if there is none. */
export const findSiteImage = async (
  db: Db,
  key: string,
): Promise<{ type: string; bytes: Buffer } | undefined> =>
  KEY.test(key) ? selectSiteImage(db, key) : undefined
