import { finished, type Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid, UserError } from '../../errors.ts'
import type { SentDocument } from '../../features/integrations/receive-intake.ts'
import { IDLE_TIMEOUT_MS } from '../../features/uploads/transfers/receive-bytes.ts'

const LIMITS = { fieldSize: 64 * 1024, headerSize: 16 * 1024 }

const noFile = () => invalid([{ field: 'file', message: 'Lipsește fișierul: „facts”, apoi „file”.' }])
const moreParts = () => invalid([{ field: 'file', message: 'După fișier nu mai poate urma nimic.' }])
const longFacts = () => invalid([{ field: 'facts', message: 'Partea „facts” are cel mult 64 KB.' }])
const malformed = () =>
  new UserError('BAD_USER_INPUT', 'malformed form', 'Cererea multipart/form-data nu este corectă.')

type Form = Pick<SentDocument, 'facts' | 'fileName' | 'bytes' | 'end'>

/**
 * Reads a form of `facts`, which may be missing, and `file`, up to the bytes of the file, which are read as they arrive.
 * Throws BAD_USER_INPUT for any other form, and 415 for any other type of content.
 */
export async function readForm(body: Readable, contentType: string): Promise<Form> {
  const form = openParser(contentType)
  const found = Promise.withResolvers<Omit<Form, 'end'>>()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined)
  let facts: string | null = null
  let bytes: Readable | undefined

  // A connection may be dead without either end knowing. A slow disk must not count as a silent sender.
  const onIdle = () => (form.writableNeedDrain ? timer.refresh() : body.destroy())
  const timer = setTimeout(onIdle, IDLE_TIMEOUT_MS).unref()

  const refuse = (error: UserError) => {
    // The connection stays open for the response.
    body.unpipe(form)
    found.reject(error)
    ended.reject(error)
  }
  const onCut = () => {
    refuse(malformed())
    bytes?.destroy()
  }

  form.on('field', (name, value, _isNameCut, isCut) => {
    if (bytes) refuse(moreParts())
    else if (name !== 'facts' || facts !== null) refuse(noFile())
    else if (isCut) refuse(longFacts())
    else facts = value
  })
  form.on('file', (_name, stream, fileName: string | undefined) => {
    stream.on('error', () => undefined)
    if (bytes) return refuse(moreParts())
    if (fileName === undefined) return refuse(noFile())
    bytes = stream
    // The rest of a refused file must not block the connection.
    stream.on('close', () => stream.readableEnded || body.unpipe(form))
    // Browsers and programs that send forms as they do escape these.
    found.resolve({ facts, fileName: fileName.replace(/%(22|0D|0A)/gi, decodeURIComponent), bytes })
  })
  form.on('finish', () => {
    if (!bytes) refuse(noFile())
    ended.resolve()
  })
  form.on('error', onCut)
  finished(body, { writable: false }, (error) => {
    clearTimeout(timer)
    if (error) onCut()
  })
  body.on('data', () => timer.refresh()).pipe(form)
  return { ...(await found.promise), end: () => ended.promise }
}

function openParser(contentType: string) {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) throw new UserError(415, 'no multipart/form-data')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      preservePath: true,
      isPartAFile: (name) => name === 'file',
    })
  } catch {
    // The boundary is missing.
    throw malformed()
  }
}
