import { createHash, randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path/posix'
import { type Answer, ChangedError, exchange, type Server } from './exchange.ts'

export type Document = {
  path: string
  handle: FileHandle
  size: number
  sha256: string
  facts: Buffer | null
}

/** Reads the open file once, a chunk at a time. */
export async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The sender's id of the document: the same for the same content at the same path, so that a repeated request stores
 * nothing. The path is hashed, because it may have a patient's name and characters that no header takes.
 */
const idempotencyKey = ({ path, sha256 }: Pick<Document, 'path' | 'sha256'>): string =>
  `${createHash('sha256').update(path).digest('hex').slice(0, 32)}-${sha256}`

/** Returns the header that has the sender's id of the document. */
export const keyHeader = (document: Document) => ({ 'idempotency-key': idempotencyKey(document) })

/**
 * Sends the document in one request. The end of the body follows only after the hash of what was sent proved to be the
 * announced one; otherwise the request is broken off, and the server keeps nothing of it.
 */
export async function sendDocument(
  server: Server,
  document: Document,
  isUnchanged: () => Promise<boolean>,
): Promise<Answer> {
  const fileName = escapeName(basename(document.path))
  const form = openForm(document.facts, `name="file"; filename="${fileName}"`, 'application/octet-stream')
  return exchange(server, intakeRequest(document, form, document.size), async function* () {
    yield form.head
    yield* checkedBytes(document)
    if (!(await isUnchanged())) throw new ChangedError()
    yield form.tail
  })
}

/** Sends the facts of a document whose bytes the server has by a transfer. */
export const sendFacts = (server: Server, document: Document, transfer: string): Promise<Answer> => {
  const form = openForm(document.facts, 'name="transfer"', 'text/plain')
  const id = Buffer.from(transfer)
  return exchange(server, intakeRequest(document, form, id.length), async function* () {
    yield Buffer.concat([form.head, id, form.tail])
  })
}

type Form = { boundary: string; head: Buffer; tail: Buffer }

/** Returns a form up to its last part and from the end of it. */
function openForm(facts: Buffer | null, lastPart: string, type: string): Form {
  const boundary = `dosar-${randomUUID()}`
  const head = Buffer.concat([
    ...(facts ? [partHead(boundary, 'name="facts"', 'application/json'), facts, CRLF] : []),
    partHead(boundary, lastPart, type),
  ])
  return { boundary, head, tail: Buffer.from(`\r\n--${boundary}--\r\n`) }
}

const intakeRequest = (document: Document, { boundary, head, tail }: Form, size: number) => ({
  method: 'POST',
  path: '/api/intake',
  headers: {
    ...keyHeader(document),
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + size + tail.length,
  },
})

/** Yields the bytes of the file; throws ChangedError where they are not those that were hashed before. */
async function* checkedBytes({ handle, size, sha256 }: Document) {
  const hash = createHash('sha256')
  let sent = 0
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    sent += chunk.length
    if (sent > size) throw new ChangedError()
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new ChangedError()
}

/** Writes a file name as browsers do in `multipart/form-data`. */
const escapeName = (name: string) =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const CRLF = Buffer.from('\r\n')
const partHead = (boundary: string, disposition: string, type: string): Buffer =>
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
  )
