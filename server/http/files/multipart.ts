import type { Readable } from 'node:stream'
import { UserError } from '../../errors.ts'

/** Milliseconds without a byte after which the sender counts as disconnected. */
const IDLE_TIMEOUT_MS = 30_000
const MAX_HEADER_BYTES = 16 * 1024
const END = Buffer.from('\r\n\r\n')

/** `fileName`: null for a part that is no file. */
export type Part = { name: string; fileName: string | null }

const malformed = (what: string) =>
  new UserError('BAD_USER_INPUT', `multipart: ${what}`, 'Cererea multipart/form-data nu este corectă.')

/** Returns the boundary of `multipart/form-data`; null for another type. */
export function readBoundary(contentType: string | undefined): string | null {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType ?? '')) return null
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain ?? null
}

/**
 * Reads a body of `multipart/form-data` (RFC 7578) as it arrives: `next` and then the content of that part, in turn, so that
 * no part is in memory as a whole. Throws BAD_USER_INPUT if the body is malformed or ends too early.
 */
export function readMultipart(body: Readable, boundary: string) {
  const source: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter has no line before it.
  let rest: Buffer = Buffer.from('\r\n')

  const more = async (): Promise<void> => {
    // A connection may be dead without either end knowing.
    const timer = setTimeout(() => body.destroy(), IDLE_TIMEOUT_MS)
    const { value, done } = await source
      .next()
      .catch(() => ({ value: undefined, done: true as const }))
      .finally(() => clearTimeout(timer))
    if (done) throw malformed('the body ends too early')
    rest = rest.length === 0 ? Buffer.from(value) : Buffer.concat([rest, value])
  }
  const until = async (mark: Buffer): Promise<Buffer> => {
    for (;;) {
      const at = rest.indexOf(mark)
      if (at > MAX_HEADER_BYTES || (at < 0 && rest.length > MAX_HEADER_BYTES)) throw malformed('long header')
      if (at >= 0) {
        const found = rest.subarray(0, at)
        rest = rest.subarray(at + mark.length)
        return found
      }
      await more()
    }
  }

  return {
    /** Returns the next part; null after the last one. The content of the part before must have been read. */
    next: async (): Promise<Part | null> => {
      while (rest.length < 2) await more()
      if (rest.subarray(0, 2).toString('latin1') === '--') return null
      const [padding = '', ...lines] = (await until(END)).toString('utf8').split('\r\n')
      if (padding.trim() !== '') throw malformed('text after the boundary')
      const disposition = lines.find((line) => /^content-disposition:/i.test(line)) ?? ''
      const name = parameterOf(disposition, 'name')
      if (name === null || !/^content-disposition:\s*form-data\s*;/i.test(disposition))
        throw malformed('a part without a name')
      return { name, fileName: parameterOf(disposition, 'filename') }
    },
    /** The bytes up to the next delimiter. */
    content: async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        const at = rest.indexOf(delimiter)
        const end = at >= 0 ? at : rest.length - delimiter.length + 1
        if (end > 0) {
          const chunk = rest.subarray(0, end)
          rest = rest.subarray(end)
          yield chunk
        }
        if (at >= 0) {
          rest = rest.subarray(delimiter.length)
          return
        }
        await more()
      }
    },
  }
}

/** Returns a parameter of the header, also as `filename*=utf-8''…`, which some programs send. */
function parameterOf(header: string, name: string): string | null {
  const plain = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header)
  if (plain)
    return (plain[1] ?? plain[2]!).replace(/\\(["\\])/g, '$1').replace(/%(22|0D|0A)/gi, decodeURIComponent)
  const [, encoded] = new RegExp(`;\\s*${name}\\*=utf-8''([^\\s;]+)`, 'i').exec(header) ?? []
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch {
    throw malformed('a file name')
  }
}
