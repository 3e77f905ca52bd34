import type { Db } from '../../platform/database.ts'
import { selectSiteImage } from './site-images.db.ts'

/** A picture of the organisation by the key of its address. */
export const findSiteImage = (db: Db, key: string): Promise<{ type: string; bytes: Buffer } | undefined> =>
  selectSiteImage(db, key)
