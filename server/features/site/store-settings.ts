import type { SiteImageKind } from '../../../shared/site/setting-bounds.ts'
import type { SiteSettings } from '../../../shared/site/site-settings.ts'
import type { UserCtx } from '../../context.ts'
import { lockSiteVersion, updateSiteVersion, upsertSettings } from './site.db.ts'
import { deleteSiteImages, hasSiteImage } from './site-images.db.ts'

/** Locks the settings against every other save until the transaction ends, and returns their version. */
export const lockSettings = (tx: UserCtx): Promise<number> => lockSiteVersion(tx.db)

/**
 * Stores settings under a new version and deletes the images that they replaced, given by their addresses.
 */
export async function storeSettings(
  tx: UserCtx,
  changes: Partial<SiteSettings>,
  replacedImages: readonly string[],
): Promise<void> {
  await upsertSettings(tx.db, changes, tx.now)
  await updateSiteVersion(tx.db, tx.actor.id, tx.now)
  if (replacedImages.length > 0) await deleteSiteImages(tx.db, replacedImages)
}

/** Returns whether an image of this kind is stored at this address; locks it until the transaction ends. */
export const isSiteImageStored = (tx: UserCtx, address: string, kind: SiteImageKind): Promise<boolean> =>
  hasSiteImage(tx.db, address, kind)

/** Deletes the image at an address that nothing shows any more. */
export const deleteReplacedImage = async (tx: UserCtx, address: string): Promise<void> => {
  await deleteSiteImages(tx.db, [address])
}
