import { SITE_IMAGE_KINDS, SITE_IMAGES, type SiteImageKind } from '../../../shared/site/setting-bounds.ts'
import { IMAGE_TYPE_MESSAGE } from '../../../shared/site/site-image-messages.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { newToken } from '../../platform/crypto/keys.ts'
import { SandboxFailure } from '../../platform/sandbox/sandbox.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { DrawnImage, DrawTask } from './draw-image.ts'
import { findSite } from './find-site.ts'
import { canEditSettings } from './site.access.ts'
import { deleteUnusedSiteImages, insertSiteImage, siteImageAddress } from './site-images.db.ts'

const WORKER = new URL('./draw-image-worker.ts', import.meta.url)
const LIMITS = { seconds: 20, memory: 1024 ** 3 }
/** How long an uploaded image is kept before the settings, or the institution, are saved with it. */
const UNUSED_IMAGE_TTL_MS = 24 * 60 * 60 * 1000

const ERROR_MESSAGES = {
  type: IMAGE_TYPE_MESSAGE,
  pixels: 'Imaginea este prea mare în pixeli. Micșoreaz-o și încearcă din nou.',
  damaged: 'Imaginea este deteriorată și nu poate fi citită.',
} as const

/**
 * Returns the image kind if the actor may upload it; called before the body is read. Throws FORBIDDEN, or
 * NOT_FOUND for an unknown kind.
 */
export function authoriseSiteImage(ctx: UserCtx, kind: string): SiteImageKind {
  if (!canEditSettings(ctx.actor)) throw forbidden('upload an image of the site')
  const known = SITE_IMAGE_KINDS.find((each) => each === kind)
  if (!known) throw notFound('kind of image')
  return known
}

/**
 * Re-encodes and stores an uploaded image of the organisation or of an institution, and returns its address. The image is
 * shown once the settings, or the institution, are saved with that address. Throws BAD_USER_INPUT for an unusable image.
 */
export async function receiveSiteImage(ctx: UserCtx, kind: SiteImageKind, sent: Buffer): Promise<string> {
  const image = await drawSafely(ctx, { kind, bytes: sent.toString('base64') })
  if (image.fault !== null) throw invalid([{ field: kind, message: ERROR_MESSAGES[image.fault] }])
  const { type, width, height, bytes } = image
  const key = newToken()
  const address = siteImageAddress(key)
  await inTransaction(ctx, async (tx) => {
    const site = await findSite(tx.db)
    const used = SITE_IMAGES.map((each) => site[each]).filter(Boolean)
    await deleteUnusedSiteImages(tx.db, new Date(tx.now.getTime() - UNUSED_IMAGE_TTL_MS), used)
    await insertSiteImage(tx.db, {
      key,
      kind,
      type,
      width,
      height,
      bytes: Buffer.from(bytes, 'base64'),
      created_at: tx.now,
    })
    await recordAudit(tx, { action: 'site.picture', changes: { [kind]: { to: address } } })
  })
  return address
}

async function drawSafely(ctx: UserCtx, task: DrawTask): Promise<DrawnImage> {
  try {
    return await ctx.services.sandbox.run<DrawTask, DrawnImage>(WORKER, task, { limits: LIMITS })
  } catch (error) {
    if (error instanceof SandboxFailure) return { fault: 'damaged' }
    throw error
  }
}
