import type { Context } from 'hono'
import { contentDisposition } from '../../../shared/uploads/file-names.ts'
import type { Sending } from '../../features/operations/download-files.ts'
import type { Env } from '../types.ts'
import { SAFE_HEADERS, sendStream } from './send-file.ts'

/** Sends an archive, whose stream `guard` makes; a `HEAD` gets the headers alone. */
export async function sendArchive(
  c: Context<Env>,
  name: string,
  guard: () => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const body = c.req.method === 'HEAD' ? null : await guard()
  return sendStream(c, body, 200, {
    ...SAFE_HEADERS,
    'content-disposition': contentDisposition(name, 'attachment'),
    'content-type': 'application/zip',
  })
}

/** Uploads whose access is still watched after the last byte was read: bytes of small files may wait for the connection. */
const BUFFERED_UPLOADS = 8

/** Keeps which uploads of an archive are being sent. `onSend` is called with each before its first byte. */
export function trackSending() {
  const sending: Sending[] = []
  return {
    sending,
    onSend: (next: Sending): void => {
      sending.push(next)
      if (sending.length > BUFFERED_UPLOADS) sending.shift()
    },
    isSending: (id: string): boolean => sending.some(({ uploadId }) => uploadId === id),
  }
}
