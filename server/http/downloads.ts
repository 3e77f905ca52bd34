import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { contentDisposition } from '../../shared/file-names.ts'
import { createContext, type UserCtx } from '../context.ts'
import { notFound, unauthenticated } from '../errors.ts'
import { findActorBySession } from '../features/accounts/find-actor.ts'
import { type FileUse, getFile, getFiles, openFile, openFiles } from '../features/uploads/open-file.ts'
import { readRange, readVerified } from '../features/uploads/verified-bytes.ts'
import { readArchive } from '../features/uploads/zip-files.ts'
import type { Parts } from '../parts.ts'
import { findRequestActor } from './actors.ts'
import { answerError } from './answer-error.ts'
import { toBody } from './body-of-pieces.ts'
import { readByteRange } from './byte-range.ts'
import type { FrontEnd } from './front-end.ts'
import { createPageAnswer, isPerson } from './pages.ts'
import type { Env } from './types.ts'

/** Whatever the bytes are, the browser runs none of them, keeps none and shows them to no other site. */
const SAFE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** Milliseconds after which whoever is still reading is judged anew. */
const JUDGED_EVERY = 3_000

/**
 * Fetching files: one as a download or a preview, all of an upload as an archive. The right to a file is the right to its
 * upload; for all others it does not exist [6.4]. A person who opens the address of a refused file gets an error page.
 */
export function createDownloadsDoor(parts: Parts, frontEnd: FrontEnd): Hono<Env> {
  const door = new Hono<Env>()
  const answerPage = createPageAnswer(parts, frontEnd)
  const answerBare = answerError(parts)
  door.onError(async (error, c) => {
    const bare = await answerBare(error, c)
    const status = bare.status as ContentfulStatusCode
    return (isPerson(c) ? await answerPage(c, { status, isRefusedFile: true }) : null) ?? bare
  })
  door.get('/zip/:id', async (c) => answerArchive(await contextOf(c), c))
  door.get('/:id', async (c) => answerFile(await contextOf(c), c, 'download'))
  door.get('/:id/preview', async (c) => answerFile(await contextOf(c), c, 'preview'))
  return door

  async function contextOf(c: Context<Env>): Promise<UserCtx> {
    const actor = await findRequestActor(parts, c)
    if (!actor) throw unauthenticated()
    return createContext(parts, actor, c.get('facts'))
  }
}

async function answerFile(ctx: UserCtx, c: Context<Env>, use: FileUse): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const onlyHead = c.req.method === 'HEAD'
  // Name, type and size are of a patient too: HEAD is recorded as GET is.
  const file = await openFile(ctx, id, use)
  const range = readByteRange(c.req.header('range'), file.size)
  const headers = {
    ...SAFE_HEADERS,
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(file.name, use === 'preview' ? 'inline' : 'attachment'),
    'content-type': file.type,
  }
  if (range === 'unsatisfiable') {
    return answer(c, null, 416, { ...headers, 'content-range': `bytes */${file.size}` })
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const pieces = range
    ? readRange(ctx.services.storage, file, range)
    : readVerified(ctx.services.storage, file)
  const allowed = whileAllowed(ctx, pieces, (now) => getFile(now, id, use))
  return answer(c, onlyHead ? null : await toBody(ctx, allowed), range ? 206 : 200, {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
  })
}

async function answerArchive(ctx: UserCtx, c: Context<Env>): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const onlyHead = c.req.method === 'HEAD'
  const { files, upload } = await openFiles(ctx, id)
  const allowed = whileAllowed(ctx, readArchive(ctx.services.storage, files), async (now) => {
    const left = new Set((await getFiles(now, id)).files.map((file) => file.id))
    if (files.some((file) => !left.has(file.id))) throw notFound('file')
  })
  return answer(c, onlyHead ? null : await toBody(ctx, allowed), 200, {
    ...SAFE_HEADERS,
    'content-disposition': contentDisposition(`Încărcarea ${upload.number}.zip`, 'attachment'),
    'content-type': 'application/zip',
  })
}

/** A large file takes its time, and rights end meanwhile: so do its pieces, for whoever may not fetch it any more. */
async function* whileAllowed(
  ctx: UserCtx,
  pieces: AsyncIterable<Uint8Array>,
  find: (ctx: UserCtx) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  let judgedAt = Date.now()
  for await (const piece of pieces) {
    if (Date.now() - judgedAt >= JUDGED_EVERY) {
      const found = await findActorBySession(ctx.db, ctx.actor.sessionId, new Date())
      if (!found) throw unauthenticated()
      await find({ ...ctx, actor: found.actor })
      judgedAt = Date.now()
    }
    yield piece
  }
}

/** Without a body the type of the overload differs, not the answer. */
const answer = (
  c: Context<Env>,
  body: ReadableStream<Uint8Array> | null,
  status: 200 | 206 | 416,
  headers: Record<string, string>,
): Response => (body ? c.body(body, status, headers) : c.body(null, status, headers))
