import type { Context } from 'hono'
import { contentDisposition } from '../../../shared/uploads/file-names.ts'
import type { Ctx } from '../../context.ts'
import type { FileUse } from '../../features/uploads/files/open-file.ts'
import { readRange, readVerified } from '../../features/uploads/files/verified-bytes.ts'
import type { Env } from '../types.ts'
import { readByteRange } from './byte-range.ts'

/** No file may be executed or cached by the browser, or embedded in another site. */
export const SAFE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

type StoredFile = Parameters<typeof readVerified>[1] & { name: string; type: string; size: number }

/** Sends a file, or the range of it that the request asks for; `guard` makes the stream that ends with the access. */
export async function sendStoredFile(
  ctx: Ctx,
  c: Context<Env>,
  file: StoredFile,
  use: FileUse,
  guard: (chunks: AsyncIterable<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const range = readByteRange(c.req.header('range'), file.size)
  const headers = {
    ...SAFE_HEADERS,
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(file.name, use === 'preview' ? 'inline' : 'attachment'),
    'content-type': file.type,
  }
  if (range === 'unsatisfiable')
    return sendStream(c, null, 416, { ...headers, 'content-range': `bytes */${file.size}` })
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const chunks = range
    ? readRange(ctx.services.storage, file, range)
    : readVerified(ctx.services.storage, file)
  const body = c.req.method === 'HEAD' ? null : await guard(chunks)
  return sendStream(c, body, range ? 206 : 200, {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
  })
}

/** Sends a body or none; `c.body` has separate overloads for the two, which need separate calls. */
export const sendStream = (
  c: Context<Env>,
  body: ReadableStream<Uint8Array> | null,
  status: 200 | 206 | 416,
  headers: Record<string, string>,
): Response => (body ? c.body(body, status, headers) : c.body(null, status, headers))
