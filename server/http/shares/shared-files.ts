import { type Context, Hono } from 'hono'
import { todayInRomania } from '../../../shared/romania/day.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { findRecipient, type RecipientCtx, renewRecipient } from '../../features/shares/find-recipient.ts'
import {
  getSharedFile,
  getSharedFiles,
  openSharedFile,
  openSharedFiles,
  type SharedUse,
} from '../../features/shares/shared-results.ts'
import { readArchive, toEntries } from '../../features/uploads/files/zip-files.ts'
import type { ChangeEvent } from '../../platform/events.ts'
import type { Services } from '../../services.ts'
import { type Access, sendRevocable } from '../files/revocable-stream.ts'
import { sendArchive } from '../files/send-archive.ts'
import { sendStoredFile } from '../files/send-file.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { Env } from '../types.ts'
import { readShareCookie } from './share-cookie.ts'

/** How a running download learns that its share was ended, or its maker or the site may no longer share. */
const RECIPIENT: Access<RecipientCtx> = {
  renew: renewRecipient,
  renewInUse: renewRecipient,
  concerns: (event: ChangeEvent, { actor }) =>
    event.kind === 'account' ||
    event.kind === 'site' ||
    (event.kind === 'share' && event.id === actor.shareId),
}

/**
 * Serves the files of a share to the browser in which it was proved: by the cookie of the share that the address names. For
 * all others they do not exist. No search engine keeps an address below `/s`.
 */
export function sharedFileRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.use(async (c, next) => {
    c.header('x-robots-tag', 'noindex, nofollow, noarchive')
    await next()
    c.header('x-robots-tag', 'noindex, nofollow, noarchive')
  })
  routes.get('/:token/files/:id', async (c) => sendFile(await recipientOf(c), c, 'download'))
  routes.get('/:token/files/:id/preview', async (c) => sendFile(await recipientOf(c), c, 'preview'))
  routes.get('/:token/zip', async (c) => sendZip(await recipientOf(c), c))
  return routes

  async function recipientOf(c: Context<Env>): Promise<RecipientCtx> {
    const ctx: Ctx = createRouteContext(services, c, { kind: 'anonymous' })
    const recipient = await findRecipient(ctx, c.req.param('token') ?? '', (id) => readShareCookie(c, id))
    if (!recipient) throw notFound('shared file')
    return recipient
  }
}

const sendFile = (ctx: RecipientCtx, c: Context<Env>, use: SharedUse): Promise<Response> =>
  sendRevocable(ctx, RECIPIENT, async (guard) => {
    const id = c.req.param('id') ?? ''
    const file = await openSharedFile(ctx, id, use)
    return sendStoredFile(ctx, c, file, use, (chunks) =>
      guard({
        chunks,
        isSending: (sent) => sent === file.upload_id,
        find: (now) => getSharedFile(now, id, use),
      }),
    )
  })

const sendZip = (ctx: RecipientCtx, c: Context<Env>): Promise<Response> =>
  sendRevocable(ctx, RECIPIENT, async (guard) => {
    const files = await openSharedFiles(ctx)
    const uploads = new Set(files.map(({ upload_id }) => upload_id))
    return sendArchive(c, `Rezultate ${todayInRomania()}.zip`, () =>
      guard({
        chunks: readArchive(ctx.services.storage, toEntries(files)),
        isSending: (sent) => uploads.has(sent),
        find: async (now) => {
          const visible = new Set((await getSharedFiles(now)).map(({ id }) => id))
          if (files.some(({ id }) => !visible.has(id))) throw notFound('file')
        },
      }),
    )
  })
