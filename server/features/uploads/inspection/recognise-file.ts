import type { FileKind } from '../../../../shared/uploads/files.ts'

export type Recognised = { kind: FileKind; type: string }

/** The bytes that mark each type; DICOM's mark follows a preamble of 128 bytes. */
const SIGNATURES: readonly (Recognised & { at: number; bytes: Buffer })[] = [
  { kind: 'pdf', type: 'application/pdf', at: 0, bytes: Buffer.from('%PDF-') },
  { kind: 'image', type: 'image/jpeg', at: 0, bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { kind: 'image', type: 'image/png', at: 0, bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') },
  { kind: 'zip', type: 'application/zip', at: 0, bytes: Buffer.from('PK\x03\x04') },
  { kind: 'zip', type: 'application/zip', at: 0, bytes: Buffer.from('PK\x05\x06') },
  { kind: 'dicom', type: 'application/dicom', at: 128, bytes: Buffer.from('DICM') },
]
const UNKNOWN: Recognised = { kind: 'other', type: 'application/octet-stream' }
/** How many first bytes of a file the signatures need. */
export const HEAD_BYTES = 132

/** Returns the type that the first bytes of a file show; the file's name and declared type do not count. */
export function recogniseHead(head: Buffer): Recognised {
  const found = SIGNATURES.find(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes))
  return found ? { kind: found.kind, type: found.type } : UNKNOWN
}
