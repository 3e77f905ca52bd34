import { invalid } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'

const FILE_KEYS = ['filename', 'filetype', 'sha256']
const MAX_METADATA_BYTES = 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const SHA256 = /^[0-9a-f]{64}$/

type FileMetadata = { name: string; sha256: Buffer }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const rejectMetadata = () =>
  invalid([{ field: 'Upload-Metadata', message: 'Datele fișierului nu pot fi citite.' }])

/**
 * Reads the header `Upload-Metadata` of a user's file: `key base64` pairs between commas. Allows only the known keys,
 * each once, each with at most 1 KiB of valid UTF-8 without control characters; `filetype` is accepted but
 * not used, and `id` is the client's own id of the transfer (null without it). Throws BAD_USER_INPUT.
 */
export function readUploadMetadata(
  header: string | undefined,
): FileMetadata & { uploadId: string; id: string | null } {
  const values = readPairs(header, [...FILE_KEYS, 'uploadId', 'id'])
  const uploadId = values.get('uploadId') ?? ''
  const id = values.get('id') ?? null
  if (!isId(uploadId) || (id !== null && !isTransferId(id))) throw rejectMetadata()
  return { ...readFile(values), uploadId, id }
}

const TRANSFER_ID = /^[0-9a-f]{32}$/
export const isTransferId = (id: string): boolean => TRANSFER_ID.test(id)

/** Reads the header of an integration's document, which has no upload yet, by the same rules. */
export const readDocumentMetadata = (header: string | undefined): FileMetadata =>
  readFile(readPairs(header, FILE_KEYS))

function readPairs(header: string | undefined, keys: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of header?.split(',') ?? []) {
    const [key = '', encoded = '', ...rest] = pair.trim().split(' ')
    if (!keys.includes(key) || values.has(key) || rest.length > 0) throw rejectMetadata()
    values.set(key, decodeValue(encoded))
  }
  return values
}

function readFile(values: Map<string, string>): FileMetadata {
  const [name = '', sha256 = ''] = ['filename', 'sha256'].map((key) => values.get(key))
  if (name.trim() === '' || !SHA256.test(sha256)) throw rejectMetadata()
  return { name, sha256: Buffer.from(sha256, 'hex') }
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
