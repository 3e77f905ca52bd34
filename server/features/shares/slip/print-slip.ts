import { SHARES_PATH } from '../../../../shared/shares/shares.ts'
import type { Ctx } from '../../../context.ts'
import { findSite, findSiteUrl } from '../../site/find-site.ts'
import type { CreatedShare } from '../create-share.ts'
import { writeSlip } from './write-slip.ts'

/** Returns the slip of a share that was just created, as base64; null without a short code. It is stored nowhere. */
export async function printSlip(ctx: Ctx, { share, link, code }: CreatedShare): Promise<string | null> {
  if (code === null) return null
  const slip = await writeSlip({
    site: await findSite(ctx.db),
    recipientName: share.recipient_name,
    proof: share.proof,
    expiresAt: share.expires_at,
    address: link,
    codePage: `${await findSiteUrl(ctx)}${SHARES_PATH}`,
    code,
    at: ctx.now,
  })
  return slip.toString('base64')
}
