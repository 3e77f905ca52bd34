import { type DataStore, Server } from '@tus/server'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { LIMITS } from '../../../shared/limits.ts'
import { type UserCtx, withSending } from '../../context.ts'
import { invalid, notFound, unauthenticated } from '../../errors.ts'
import { findSite } from '../../features/site/find-site.ts'
import { getTransfer } from '../../features/uploads/transfers/get-transfer.ts'
import {
  bodyTooLong,
  emptyFile,
  fileTooLarge,
  finishedFile,
  transferMoved,
} from '../../features/uploads/transfers/transfer-errors.ts'
import type { Services } from '../../services.ts'
import { authenticateRequest } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { bodyOf } from '../request-body.ts'
import type { Env } from '../types.ts'
import { createTransferStore } from './transfer-store.ts'
import { createUploadLocks, type UploadLock } from './upload-lock.ts'
import { readUploadMetadata } from './upload-metadata.ts'

const PATH = '/files'
const TRANSFER_ID = /^[0-9a-f]{32}$/
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Receives files by the resumable tus protocol 1.0 (creation, creation-with-upload, termination) [6.4]. Every
 * request is authorised here before the tus library gets it. The library handles headers and responses; the
 * bytes go directly from the connection to the disk.
 */
export function uploadRoutes(services: Services): Hono<Env> {
  const uploadLocks = createUploadLocks(services)
  const routes = new Hono<Env>()
  routes.onError((error, c) => {
    for (const [name, value] of Object.entries(TUS_HEADERS)) c.header(name, value)
    throw error
  })

  routes.all('/', async (c, next) => {
    if (READ_METHODS.has(c.req.method)) return next()
    return handleTus(c, null)
  })
  routes.all('/:id{.+}', async (c, next) => {
    const id = c.req.param('id')
    const isTransfer = TRANSFER_ID.test(id)
    if (!isTransfer && READ_METHODS.has(c.req.method)) return next()
    // Never passed on: the library would serve the unchecked bytes with the type that the sender declared.
    if (c.req.method === 'GET') throw notFound('transfer')
    return handleTus(c, id)
  })
  return routes

  async function handleTus(c: Context<Env>, id: string | null): Promise<Response> {
    const method = effectiveMethod(c)
    if (method === 'OPTIONS') {
      const { upload_file_mib } = await findSite(services.db)
      const server = protocol(createTransferStore(), upload_file_mib * 1024 ** 2, null)
      return withoutCors(await server.handleWeb(headOf(c, method)))
    }
    const actor = await authenticateRequest(services, c)
    if (!actor) throw unauthenticated()
    const ctx = withSending(createRouteContext(services, c, actor))
    await authorise(ctx, method, id)

    const body = bodyOf(c)
    const creation = method === 'POST' ? readCreation(c) : null
    let lock: UploadLock | undefined
    let failure: unknown
    const store = createTransferStore({ ctx, body, creation, lock: () => lock! })
    const acquireLock = async (name: string) => {
      // A POST without bytes needs no lock: no other client knows the new transfer's id yet.
      if (creation && c.req.header('content-type') === undefined) return
      lock = await uploadLocks.take(name, method === 'DELETE')
    }
    const server = protocol(store, LIMITS.fileBytes, {
      locker: { newLock: (name) => ({ lock: () => acquireLock(name), unlock: async () => lock?.release() }) },
      onResponseError: (_request, error) => {
        failure = error
        return undefined
      },
    })
    const response = await server.handleWeb(headOf(c, method))
    if (failure instanceof Error) throw failure
    if (response.status === 409) throw transferMoved()
    if (response.status >= 400) throw new HTTPException(response.status as ContentfulStatusCode)
    return withoutCors(response)
  }
}

/**
 * Throws NOT_FOUND unless the user has begun the transfer: for all other users it does not exist. Throws
 * FORBIDDEN for a change of a finished transfer.
 */
async function authorise(ctx: UserCtx, method: string, id: string | null): Promise<void> {
  if (id === null && method === 'POST') return
  if (id === null || !TRANSFER_ID.test(id) || !['HEAD', 'PATCH', 'DELETE'].includes(method))
    throw notFound('transfer')
  const transfer = await getTransfer(ctx, id)
  if (transfer.state === 'finished' && method !== 'HEAD') throw finishedFile()
}

/**
 * Returns the method of the request, or the method that a POST overrides, for clients that can send only
 * POST.
 */
function effectiveMethod(c: Context<Env>): string {
  const { method } = c.req
  return method === 'POST' ? (c.req.header('x-http-method-override')?.toUpperCase() ?? method) : method
}

const TUS_HEADERS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' } as const

/**
 * Creates the tus server of one request, since its store works for one user and one body; this takes some
 * microseconds.
 */
function protocol(
  datastore: DataStore,
  maxSize: number,
  hooks: Pick<ConstructorParameters<typeof Server>[0], 'locker' | 'onResponseError'> | null,
): Server {
  return new Server({
    path: PATH,
    datastore,
    relativeLocation: true,
    allowedOrigins: () => false,
    maxSize,
    getFileIdFromRequest: (_request, last) => (last && TRANSFER_ID.test(last) ? last : undefined),
    ...(hooks ?? {
      locker: { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) },
    }),
  })
}

/** Returns the request without its body, for the tus library. */
const headOf = (c: Context<Env>, method: string): Request =>
  new Request(c.req.url, { method, headers: c.req.raw.headers })

/**
 * Reads a new transfer from the headers of its POST; throws a UserError when they are invalid or the file is
 * too large.
 */
function readCreation(c: Context<Env>) {
  const length = c.req.header('upload-length') ?? ''
  if (c.req.header('upload-defer-length') || c.req.header('upload-concat') || !/^\d{1,15}$/.test(length)) {
    throw invalid([{ field: 'Upload-Length', message: 'Lipsește mărimea fișierului.' }])
  }
  const size = Number(length)
  if (size > LIMITS.fileBytes) throw fileTooLarge(LIMITS.fileBytes)
  if (size === 0) throw emptyFile('Upload-Length')
  if (Number(c.req.header('content-length') ?? 0) > size) throw bodyTooLong()
  return { ...readUploadMetadata(c.req.header('upload-metadata')), size }
}

function withoutCors(response: Response): Response {
  for (const name of [...response.headers.keys()]) {
    if (name.startsWith('access-control-')) response.headers.delete(name)
  }
  return response
}
