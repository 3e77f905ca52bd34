import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'

/** Where documents go, and the key of the integration. */
export type Server = { address: URL; key: string }

export type Answer = {
  status: number
  code: string
  message: string
  /** Whether the answer names what is wrong in the facts or the headers. */
  hasFields: boolean
  sha256: string
  retryAfterMs: number
  /** Of a transfer: its address, and how many bytes of it the server has; '' and NaN in other answers. */
  location: string
  offset: number
}

/** The document has become another one while it was read: nothing of it was accepted. */
export class ChangedError extends Error {}

/** A connection without any progress for so long counts as broken. */
const IDLE_MS = 120_000
const MAX_ANSWER_BYTES = 64 * 1024

type Request = { method: string; path: string; headers: Record<string, string | number> }

/** Sends a request and returns its answer. A ChangedError of the body breaks it off, and is thrown. */
export async function exchange(
  { address, key }: Server,
  { method, path, headers }: Request,
  body: () => AsyncIterable<Buffer>,
): Promise<Answer> {
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(new URL(path, address), {
    method,
    agent: false,
    timeout: IDLE_MS,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  request.on('timeout', () => request.destroy(Object.assign(new Error('no progress'), { code: 'ETIMEDOUT' })))
  const sending = pipeline(body, request)
  const changed = sending.then(
    () => new Promise<never>(() => undefined),
    // Any other failure is one of the connection, which `readAnswer` reports; it may come after an answer.
    (error) => (error instanceof ChangedError ? Promise.reject(error) : new Promise<never>(() => undefined)),
  )
  try {
    return await Promise.race([readAnswer(request), changed])
  } finally {
    request.destroy()
    await sending.catch(() => undefined)
  }
}

async function readAnswer(request: ClientRequest): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) break
    chunks.push(chunk)
  }
  const { code, message, fields, sha256 } = parseObject(Buffer.concat(chunks).toString())
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    status: response.statusCode ?? 0,
    code: text(code),
    message: text(message),
    hasFields: Array.isArray(fields),
    sha256: text(sha256),
    retryAfterMs: Number(response.headers['retry-after'] ?? 0) * 1000 || 0,
    location: response.headers.location ?? '',
    offset: Number(response.headers['upload-offset'] ?? Number.NaN),
  }
}

/** Returns `{}` for anything else than an object, such as the page of a proxy. */
function parseObject(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}
