import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { type UserCtx, withSending } from '../../context.ts'
import { notFound, unauthenticated } from '../../errors.ts'
import { beginTransfer } from '../../features/uploads/transfers/begin-transfer.ts'
import { getTransfer, type UserTransfer } from '../../features/uploads/transfers/get-transfer.ts'
import { receiveBytes } from '../../features/uploads/transfers/receive-bytes.ts'
import { receiveWholeFile } from '../../features/uploads/transfers/receive-whole-file.ts'
import { resumeTransfer } from '../../features/uploads/transfers/resume-transfer.ts'
import { transferIdOf } from '../../features/uploads/transfers/transfer-id.ts'
import type { Services } from '../../services.ts'
import { authenticateRequest } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { SenderTransfers } from '../tus/transfer-store.ts'
import { effectiveMethod, openTus, throwAsTus } from '../tus/tus.ts'
import { isTransferId, readUploadMetadata } from '../tus/upload-metadata.ts'
import type { Env } from '../types.ts'

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Receives the files of users by the resumable tus protocol 1.0 (creation, creation-with-upload, termination) [6.4]. Every
 * request is authorised here before the tus library gets it.
 */
export function uploadRoutes(services: Services): Hono<Env> {
  const tus = openTus(services, {
    path: '/files',
    extensions: ['creation', 'creation-with-upload', 'termination'],
  })
  const routes = new Hono<Env>()
  routes.onError(throwAsTus)

  routes.all('/', async (c, next) => {
    if (READ_METHODS.has(c.req.method)) return next()
    return handleTus(c, null)
  })
  routes.all('/:id{.+}', async (c, next) => {
    const id = c.req.param('id')
    if (!isTransferId(id) && READ_METHODS.has(c.req.method)) return next()
    // Never passed on: the library would serve the unchecked bytes with the type that the sender declared.
    if (c.req.method === 'GET') throw notFound('transfer')
    return handleTus(c, id)
  })
  return routes

  async function handleTus(c: Context<Env>, id: string | null): Promise<Response> {
    if (effectiveMethod(c) === 'OPTIONS') return tus.describe(c)
    const actor = await authenticateRequest(services, c)
    if (!actor) throw unauthenticated()
    return tus.handle(c, id, transfersOf(withSending(createRouteContext(services, c, actor))))
  }
}

type SentFile = ReturnType<typeof readUploadMetadata>

const transfersOf = (ctx: UserCtx): SenderTransfers<UserTransfer, SentFile> => ({
  ctx,
  newId: ({ id }) => transferIdOf(ctx.actor.id, id ?? randomUUID()),
  readMetadata: readUploadMetadata,
  begin: (id, file) => beginTransfer(ctx, { ...file, id }),
  get: (id) => getTransfer(ctx, id),
  resume: (transfer) => resumeTransfer(ctx, transfer),
  receive: (transfer, body, options) => receiveBytes(ctx, transfer, body, options),
  receiveWhole: (id, file, body) => receiveWholeFile(ctx, { ...file, id }, body),
})
