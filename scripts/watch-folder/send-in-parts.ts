import { basename } from 'node:path/posix'
import { type Answer, ChangedError, exchange, type Server } from './exchange.ts'
import { type Document, keyHeader, sendFacts } from './send.ts'

const LOCATION = /^\/api\/intake\/files\/([0-9a-f]{32})$/

/**
 * Sends the document in requests of at most `maxBytes` by the tus protocol, and then its facts. It begins where the server says
 * that an earlier attempt ended, of this process or another one, because the server knows the document by its key. The server
 * compares the hash of the whole; nothing is kept of a document that has changed.
 */
export async function sendInParts(
  server: Server,
  document: Document,
  isUnchanged: () => Promise<boolean>,
  maxBytes: number,
): Promise<Answer> {
  const begun = await send(server, document, 'POST', '/api/intake/files', {
    'upload-length': document.size,
    'upload-metadata': `filename ${base64(nameOf(document))},sha256 ${base64(document.sha256)}`,
  })
  const [path = '', id = ''] = LOCATION.exec(begun.location) ?? []
  if (begun.status !== 201 || !path) return begun
  try {
    const requireUnchanged = async () => {
      if (!(await isUnchanged())) throw new ChangedError()
    }
    const answer = await sendMissing(server, document, path, maxBytes, requireUnchanged)
    if (answer) return orMoved(answer)
    await requireUnchanged()
    return orMoved(await sendFacts(server, document, id))
  } catch (error) {
    // Best effort: the server deletes it after a day.
    if (error instanceof ChangedError) await send(server, document, 'DELETE', path).catch(() => undefined)
    throw error
  }
}

/** Sends the bytes that the server does not have; returns the answer that prevents it, or null. */
async function sendMissing(
  server: Server,
  document: Document,
  path: string,
  maxBytes: number,
  requireUnchanged: () => Promise<void>,
): Promise<Answer | null> {
  const asked = await send(server, document, 'HEAD', path)
  if (asked.status !== 200) return asked
  let { offset } = asked
  while (offset < document.size) {
    await requireUnchanged()
    const end = Math.min(offset + maxBytes, document.size)
    const headers = {
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': end - offset,
    }
    const part = { start: offset, end }
    const answer = await send(server, document, 'PATCH', path, headers, () => readPart(document, part))
    if (answer.status !== 204) return answer
    offset = end
  }
  return offset === document.size ? null : asked
}

const send = (
  server: Server,
  document: Document,
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
  body: () => AsyncIterable<Buffer> = noBytes,
): Promise<Answer> =>
  exchange(
    server,
    {
      method,
      path,
      headers: { 'tus-resumable': '1.0.0', 'content-length': 0, ...keyHeader(document), ...headers },
    },
    body,
  )

async function* noBytes(): AsyncGenerator<Buffer> {}

/** Yields a part of the file; throws ChangedError where the file has become shorter. */
async function* readPart({ handle }: Document, { start, end }: { start: number; end: number }) {
  let left = end - start
  for await (const chunk of handle.createReadStream({ start, end: end - 1, autoClose: false })) {
    left -= chunk.length
    yield chunk
  }
  if (left > 0) throw new ChangedError()
}

/** A transfer that ended meanwhile says nothing about the address of the server: the next attempt begins another one. */
const orMoved = (answer: Answer): Answer => (answer.status === 404 ? { ...answer, status: 409 } : answer)

/** Without the characters that the header does not take, and the server would replace. */
const nameOf = ({ path }: Document) => basename(path).replaceAll(/\p{Cc}/gu, '_')

const base64 = (text: string) => Buffer.from(text).toString('base64')
