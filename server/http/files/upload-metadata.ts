import { invalid } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'

const KEYS: ReadonlySet<string> = new Set(['filename', 'filetype', 'uploadId', 'sha256'])
const MAX_METADATA_BYTES = 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const SHA256 = /^[0-9a-f]{64}$/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const rejectMetadata = () =>
  invalid([{ field: 'Upload-Metadata', message: 'Datele fișierului nu pot fi citite.' }])

/**
 * Reads the header `Upload-Metadata`: `key base64` pairs between commas. Allows only the four known keys,
 * each once, each with at most 1 KiB of valid UTF-8 without control characters; `filetype` is accepted but
 * not used. Throws BAD_USER_INPUT.
 */
export function readUploadMetadata(header: string | undefined): {
  name: string
  uploadId: string
  sha256: Buffer
} {
  const values = new Map<string, string>()
  for (const pair of header?.split(',') ?? []) {
    const [key = '', encoded = '', ...rest] = pair.trim().split(' ')
    if (!KEYS.has(key) || values.has(key) || rest.length > 0) throw rejectMetadata()
    values.set(key, decodeValue(encoded))
  }
  const [name = '', uploadId = '', sha256 = ''] = ['filename', 'uploadId', 'sha256'].map((key) =>
    values.get(key),
  )
  if (name.trim() === '' || !isId(uploadId) || !SHA256.test(sha256)) throw rejectMetadata()
  return { name, uploadId, sha256: Buffer.from(sha256, 'hex') }
}

function decodeValue(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64')
  if (!BASE64.test(encoded) || encoded.length % 4 !== 0 || bytes.length > MAX_METADATA_BYTES)
    throw rejectMetadata()
  try {
    const text = decoder.decode(bytes)
    if (/\p{Cc}/u.test(text)) throw rejectMetadata()
    return text
  } catch {
    throw rejectMetadata()
  }
}
