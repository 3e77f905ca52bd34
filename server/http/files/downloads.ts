import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { todayInRomania } from '../../../shared/romania/day.ts'
import type { UserCtx } from '../../context.ts'
import { notFound, unauthenticated } from '../../errors.ts'
import { getDownload, openUploads, requireReadable } from '../../features/operations/download-files.ts'
import {
  type FileUse,
  getFile,
  getFiles,
  openFile,
  openFiles,
} from '../../features/uploads/files/open-file.ts'
import { readArchive, toEntries } from '../../features/uploads/files/zip-files.ts'
import { getResults, openResults, requireResults } from '../../features/uploads/inbox/download-results.ts'
import { getThumbnail } from '../../features/uploads/thumbnails/get-thumbnail.ts'
import type { Services } from '../../services.ts'
import { authenticateRequest } from '../auth/authenticate.ts'
import { handleError } from '../middleware/error-handler.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { isPerson, type RenderPage } from '../pages/pages.ts'
import type { Env } from '../types.ts'
import { sendToUser } from './revocable-stream.ts'
import { sendArchive, trackSending } from './send-archive.ts'
import { SAFE_HEADERS, sendStoredFile } from './send-file.ts'

/**
 * Serves files: one as a download, a preview or a thumbnail, all of an upload, of several results or of a planned operation as an archive. A file
 * may be read by the users who may see its upload; for all others it does not exist [6.4], and a person who opens its address
 * gets an error page. `check` says whether a download is allowed; it reveals nothing of the file, so it leaves no audit row.
 */
export function downloadRoutes(services: Services, renderPage: RenderPage): Hono<Env> {
  const routes = new Hono<Env>()
  const toJsonError = handleError(services)
  routes.onError(async (error, c) => {
    const jsonError = await toJsonError(error, c)
    const status = jsonError.status as ContentfulStatusCode
    return (isPerson(c) ? await renderPage(c, { status, isDeniedFile: true }) : null) ?? jsonError
  })
  routes.get('/operations/:id/check', async (c) => {
    await getDownload(await contextOf(c), c.req.param('id'))
    return c.body(null, 204)
  })
  routes.get('/operations/:id', async (c) => sendOperation(await contextOf(c), c))
  routes.get('/results/:ids/check', async (c) => {
    await getResults(await contextOf(c), idsOf(c))
    return c.body(null, 204)
  })
  routes.get('/results/:ids', async (c) => sendResults(await contextOf(c), c))
  routes.get('/zip/:id/check', async (c) => {
    await getFiles(await contextOf(c), c.req.param('id'))
    return c.body(null, 204)
  })
  routes.get('/:id/check', async (c) => {
    await getFile(await contextOf(c), c.req.param('id'), 'download')
    return c.body(null, 204)
  })
  routes.get('/zip/:id', async (c) => sendUpload(await contextOf(c), c))
  routes.get('/:id', async (c) => sendFile(await contextOf(c), c, 'download'))
  routes.get('/:id/preview', async (c) => sendFile(await contextOf(c), c, 'preview'))
  routes.get('/:id/thumbnail', async (c) => {
    const thumbnail = await getThumbnail(await contextOf(c), c.req.param('id'))
    return c.body(Uint8Array.from(thumbnail), 200, { ...SAFE_HEADERS, 'content-type': 'image/webp' })
  })
  return routes

  async function contextOf(c: Context<Env>): Promise<UserCtx> {
    const actor = await authenticateRequest(services, c)
    if (!actor) throw unauthenticated()
    return createRouteContext(services, c, actor)
  }
}

const sendFile = (ctx: UserCtx, c: Context<Env>, use: FileUse): Promise<Response> =>
  sendToUser(ctx, async (guard) => {
    const id = c.req.param('id') ?? ''
    // HEAD reveals name, type and size of a patient's file, so it is recorded like GET.
    const file = await openFile(ctx, id, use)
    return sendStoredFile(ctx, c, file, use, (chunks) =>
      guard({
        chunks,
        isSending: (sent) => sent === file.upload_id,
        find: (now) => getFile(now, id, use),
      }),
    )
  })

const sendUpload = (ctx: UserCtx, c: Context<Env>): Promise<Response> =>
  sendToUser(ctx, async (guard) => {
    const id = c.req.param('id') ?? ''
    const { files, upload } = await openFiles(ctx, id)
    return sendArchive(c, `Fișierele ${upload.number}.zip`, () =>
      guard({
        chunks: readArchive(ctx.services.storage, toEntries(files)),
        isSending: (sent) => sent === id,
        find: async (now) => {
          const visible = new Set((await getFiles(now, id)).files.map((file) => file.id))
          if (files.some((file) => !visible.has(file.id))) throw notFound('file')
        },
      }),
    )
  })

/** Sends the files of many uploads, of which each is opened when its turn comes. */
const sendOperation = (ctx: UserCtx, c: Context<Env>): Promise<Response> =>
  sendToUser(ctx, async (guard) => {
    const operation = await getDownload(ctx, c.req.param('id') ?? '')
    const { sending, onSend, isSending } = trackSending()
    return sendArchive(c, `Fișierele operației ${operation.number}.zip`, () =>
      guard({
        chunks: readArchive(ctx.services.storage, openUploads(ctx, operation, onSend)),
        isSending,
        find: (now) => requireReadable(now, sending),
      }),
    )
  })

const idsOf = (c: Context<Env>): string[] => (c.req.param('ids') ?? '').split(',')

/** Sends results of an institution. All of them are watched to the end, since the archive is used as a whole. */
const sendResults = (ctx: UserCtx, c: Context<Env>): Promise<Response> =>
  sendToUser(ctx, async (guard) => {
    const results = await getResults(ctx, idsOf(c))
    const ids = new Set(results.uploads.map(({ id }) => id))
    return sendArchive(c, `Rezultate ${todayInRomania()}.zip`, () =>
      guard({
        chunks: readArchive(ctx.services.storage, openResults(ctx, results)),
        isSending: (id) => ids.has(id),
        find: (now) => requireResults(now, results),
      }),
    )
  })
