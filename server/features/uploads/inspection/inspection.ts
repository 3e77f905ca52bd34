import type { FileRejection } from '../../../../shared/uploads/file-rejections.ts'
import type { FileKind } from '../../../../shared/uploads/files.ts'
import type { FoundCnps } from './found-cnps.ts'

/** Details read from a file, as the screens show them. */
export type FileDetails = {
  /** Why the file was rejected. */
  reason?: FileRejection
  /** A PDF that needs a password. */
  locked?: boolean
  /** The whole file was read as text, on every page of a PDF, and it has no images or other content. */
  wholeText?: true
  /** A PDF too large for its text to be read. */
  unread?: boolean
  /** Pixels of an image. */
  width?: number
  height?: number
  /** Of an archive: the number of files, the first names, and the bytes when unpacked. */
  entries?: number
  names?: string[]
  unpacked?: number
}

export type Inspection =
  | {
      accepted: true
      kind: FileKind
      type: string
      pageCount: number | null
      text: string | null
      /** Absent if there is no text. */
      cnps?: FoundCnps
      facts: FileDetails
    }
  | { accepted: false; facts: FileDetails & { reason: FileRejection } }

export const rejectFile = (reason: FileRejection): Inspection => ({ accepted: false, facts: { reason } })
