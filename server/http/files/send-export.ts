import type { Context } from 'hono'
import { EXPORT_CUT } from '../../../shared/csv/csv-exports.ts'
import type { Ctx, UserCtx } from '../../context.ts'
import { unauthenticated } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { toReadableStream } from '../stream-body.ts'
import type { Env } from '../types.ts'

/**
 * Returns the context of a request for an exported file. Accepts the bearer token alone, not the cookie, so that a link from
 * another site or a passed on link cannot open the file. Throws UNAUTHENTICATED without one.
 */
export async function authenticateExport(services: Services, c: Context<Env>): Promise<UserCtx> {
  const found = await authenticateBearer(services, c.req.header('authorization'), 'export')
  if (!found) throw unauthenticated()
  return createRouteContext(services, c, found.actor)
}

/** Responds with a CSV file; `isCut`: there are more rows than it has. */
export async function sendCsv(
  c: Context<Env>,
  ctx: Ctx,
  { name, chunks, isCut = false }: { name: string; chunks: AsyncIterator<Uint8Array>; isCut?: boolean },
): Promise<Response> {
  return c.body(await toReadableStream(ctx, chunks), 200, {
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${name}"`,
    'content-type': 'text/csv; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(isCut && { [EXPORT_CUT]: '1' }),
  })
}
