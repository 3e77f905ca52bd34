import { finished, type Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid, UserError } from '../../errors.ts'
import type { TransferredDocument } from '../../features/integrations/file-intake-transfer.ts'
import type { SentDocument } from '../../features/integrations/receive-intake.ts'
import { IDLE_TIMEOUT_MS } from '../../features/uploads/transfers/append-bytes.ts'

const LIMITS = { fieldSize: 64 * 1024, headerSize: 16 * 1024 }

const noFile = () =>
  invalid([{ field: 'file', message: 'Lipsește fișierul: „facts”, apoi „file” sau „transfer”.' }])
const moreParts = () => invalid([{ field: 'file', message: 'După fișier nu mai poate urma nimic.' }])
const longFacts = () => invalid([{ field: 'facts', message: 'Partea „facts” are cel mult 64 KB.' }])
const malformed = () =>
  new UserError('BAD_USER_INPUT', 'malformed form', 'Cererea multipart/form-data nu este corectă.')

type FileForm = Pick<SentDocument, 'facts' | 'fileName' | 'bytes' | 'end'>
type TransferForm = Pick<TransferredDocument, 'facts' | 'transfer'>
type Form = FileForm | TransferForm

/**
 * Reads a form of `facts`, which may be missing, and `file`, up to the bytes of the file, which are read as they arrive; or
 * with `transfer` in place of the file. Throws BAD_USER_INPUT for any other form, and 415 for any other type of content.
 */
export async function readForm(body: Readable, contentType: string): Promise<Form> {
  const parser = openParser(contentType)
  const found = Promise.withResolvers<Omit<FileForm, 'end'> | TransferForm>()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined)
  let facts: string | null = null
  let transfer: string | null = null
  let bytes: Readable | undefined

  // A connection may be dead without either end knowing. A slow disk must not count as a silent sender.
  const onIdle = () => (parser.writableNeedDrain ? timer.refresh() : body.destroy())
  const timer = setTimeout(onIdle, IDLE_TIMEOUT_MS).unref()

  const refuse = (error: UserError) => {
    // The connection stays open for the response.
    body.unpipe(parser)
    found.reject(error)
    ended.reject(error)
  }
  const onCut = () => {
    refuse(malformed())
    bytes?.destroy()
  }

  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (bytes || transfer !== null) refuse(moreParts())
    else if (name === 'transfer') transfer = value
    else if (name !== 'facts' || facts !== null) refuse(noFile())
    else if (isCut) refuse(longFacts())
    else facts = value
  })
  parser.on('file', (_name, stream, fileName: string | undefined) => {
    stream.on('error', () => undefined)
    if (bytes || transfer !== null) return refuse(moreParts())
    if (fileName === undefined) return refuse(noFile())
    bytes = stream
    // The rest of a refused file must not block the connection.
    stream.on('close', () => stream.readableEnded || body.unpipe(parser))
    // Browsers and programs that send forms as they do escape these.
    found.resolve({ facts, fileName: fileName.replace(/%(22|0D|0A)/gi, decodeURIComponent), bytes })
  })
  parser.on('finish', () => {
    if (transfer !== null) found.resolve({ facts, transfer })
    else if (!bytes) refuse(noFile())
    ended.resolve()
  })
  parser.on('error', onCut)
  finished(body, { writable: false }, (error) => {
    clearTimeout(timer)
    if (error) onCut()
  })
  body.on('data', () => timer.refresh()).pipe(parser)
  const form = await found.promise
  return 'transfer' in form ? form : { ...form, end: () => ended.promise }
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
